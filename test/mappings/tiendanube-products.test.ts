import { describe, expect, test } from 'vitest';
import { variantFaults } from '../../src/suspect/index.ts';
import { gatherExport, mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'tiendanube-products';
type Cells = Record<string, string>;
const payloadOf = (...rows: Cells[]) => payloadIn(PRESET, ...rows);

const MATE: Cells = {
  'Identificador de URL': 'mate',
  Nombre: 'Mate',
  Categorías: '',
  'Nombre de propiedad 1': '',
  'Valor de propiedad 1': '',
  Precio: '18500,00',
  'Precio promocional': '',
  'Peso (kg)': '0,25',
  'Alto (cm)': '12',
  'Ancho (cm)': '',
  'Profundidad (cm)': '9,5',
  Stock: '14',
  SKU: 'MAT-01',
  'Mostrar en tienda': 'SI',
  'Producto Físico': 'SI',
  Costo: '',
};

/** A row of a further variant: the same address, and no texts. */
const FURTHER: Cells = { ...MATE, Nombre: '', 'Mostrar en tienda': '', 'Producto Físico': '' };

const coloured = (cells: Cells, colour: string, more: Cells = {}): Cells => ({
  ...cells,
  SKU: `MAT-${colour}`,
  'Nombre de propiedad 1': cells.Nombre ? 'Color' : '',
  'Valor de propiedad 1': colour,
  ...more,
});

const MATE_PAYLOAD = {
  name: 'Mate',
  reference: 'mate',
  productType: 'PHYSICAL',
  model: 'MAT-01',
  type: 'simple',
  status: 'PUBLISH',
  price: { salePrice: 18500 },
  quantity: { instock: 14 },
  sizes: { weight: { value: 0.25, unit: 'kg' }, dimensions: { depth: 9.5, height: 12, unit: 'cm' } },
};

test('a product without properties is simple, with the units of the header', () => {
  expect(payloadOf(MATE)).toEqual(MATE_PAYLOAD);
});

const PORTUGUESE: Record<string, string> = {
  'Identificador de URL': 'Identificador URL',
  Nombre: 'Nome',
  Categorías: 'Categorias',
  'Nombre de propiedad 1': 'Nome da variação 1',
  'Valor de propiedad 1': 'Valor da variação 1',
  Precio: 'Preço',
  'Precio promocional': 'Preço promocional',
  'Peso (kg)': 'Peso (kg)',
  'Alto (cm)': 'Altura (cm)',
  'Ancho (cm)': 'Largura (cm)',
  'Profundidad (cm)': 'Comprimento (cm)',
  Stock: 'Estoque',
  'Mostrar en tienda': 'Exibir na loja',
  'Producto Físico': 'Produto Físico',
  Costo: 'Custo',
};

const inPortuguese = (cells: Cells): Cells =>
  Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => [PORTUGUESE[name] ?? name, cell === 'SI' ? 'SIM' : cell]),
  );

test('the names and words of Nuvemshop give the same payloads', () => {
  expect(payloadOf(inPortuguese(MATE))).toEqual(MATE_PAYLOAD);
  const rows = [coloured(MATE, 'Rojo', { 'Precio promocional': '100,00' }), coloured(FURTHER, 'Azul')];
  expect(payloadOf(...rows.map(inPortuguese))).toEqual(payloadOf(...rows));
});

test('measures under a name without a unit have none', () => {
  const { 'Peso (kg)': _weight, ...rest } = MATE;
  expect(payloadOf({ ...rest, Peso: '0.25' }).sizes).toMatchObject({ weight: { value: 0.25 } });
});

test('rows with the same address are variants of one product', async () => {
  const records = await gatherExport(PRESET, coloured(MATE, 'Rojo'), coloured(FURTHER, 'Azul'));
  expect(records).toHaveLength(1);
  expect(records[0]?.payload).toMatchObject({
    name: 'Mate',
    type: 'variable',
    status: 'PUBLISH',
    quantity: { instock: 28 },
    options: [{ name: 'Color', values: [{ value1: 'Rojo' }, { value1: 'Azul' }] }],
    variants: [
      { name: 'Rojo', reference: 'MAT-Rojo', option1: { name: 'Color', value1: 'Rojo' } },
      { name: 'Azul', reference: 'MAT-Azul', option1: { name: 'Color', value1: 'Azul' } },
    ],
  });
  expect(records[0]?.payload).not.toHaveProperty('model');
});

test('rows without an address are products of their own, with their SKU as the reference', async () => {
  const nameless = { ...MATE, 'Identificador de URL': '' };
  const records = await gatherExport(PRESET, nameless, { ...nameless, SKU: 'MAT-02' });
  expect(records.map(({ payload }) => payload.reference)).toEqual(['MAT-01', 'MAT-02']);
});

describe('a price', () => {
  test.each([
    ['18500', 18500],
    ['18500,5', 18500.5],
    ['137.00', 137],
    ['1.299,90', 1299.9],
    ['1.250.000,00', 1250000],
  ])('of %s', (Precio, salePrice) => {
    expect(payloadOf({ ...MATE, Precio }).price).toEqual({ salePrice });
    expect(payloadOf(coloured(MATE, 'Rojo', { Precio })).variants).toMatchObject([{ price: { salePrice } }]);
  });

  test.each(['1.299', '1,299.00', 'consultar'])('of %j is an issue', (Precio) => {
    expect(mapExport(PRESET, { ...MATE, Precio }).issues).toMatchObject([
      { code: 'not-a-number', column: 'Precio' },
    ]);
  });

  test.each([
    ['15900,50', { salePrice: 15900.5, comparePrice: 18500 }],
    ['18500,00', { salePrice: 18500 }],
    ['20000,00', { salePrice: 18500 }],
    ['0,00', { salePrice: 18500 }],
    ['', { salePrice: 18500 }],
  ])('with a promotional price of %j', (promotion, price) => {
    const cells = { 'Precio promocional': promotion };
    expect(payloadOf({ ...MATE, ...cells }).price).toEqual(price);
    expect(payloadOf(coloured(MATE, 'Rojo', cells)).variants).toMatchObject([{ price }]);
  });

  test('is never the cost', () => {
    expect(payloadOf({ ...MATE, Costo: '7200,00' }).price).toEqual({ salePrice: 18500, buyingPrice: 7200 });
    expect(payloadOf({ ...MATE, Costo: '0,00' }).price).toEqual({ salePrice: 18500 });
  });
});

describe('the status', () => {
  test.each([
    [{ 'Mostrar en tienda': 'SI' }, 'PUBLISH'],
    [{ 'Mostrar en tienda': 'Sí' }, 'PUBLISH'],
    [{ 'Mostrar en tienda': 'NO' }, 'DRAFT'],
    [{ 'Mostrar en tienda': 'NÃO' }, 'DRAFT'],
    [{ Visibilidad: 'Visible' }, 'PUBLISH'],
    [{ Visibilidad: '' }, 'PUBLISH'],
    [{ Visibilidad: 'Oculto' }, 'DRAFT'],
    [{ Visibilidad: 'No listado' }, 'DRAFT'],
  ])('with %j is %s', (cells, status) => {
    const { payload, warnings } = mapExport(PRESET, { ...MATE, ...(cells as Cells) });
    expect(payload.status).toBe(status);
    expect(warnings).toBeUndefined();
  });

  test('of a product without a word in "show in store" is DRAFT, with a warning', () => {
    const { payload, warnings } = mapExport(PRESET, { ...MATE, 'Mostrar en tienda': '' });
    expect(payload.status).toBe('DRAFT');
    expect(warnings).toEqual([expect.stringContaining('does not say')]);
  });
});

describe('stock', () => {
  test.each([
    ['14', { quantity: { instock: 14 } }],
    ['0', { quantity: { instock: 0 } }],
    ['-2', { quantity: { instock: -2 } }],
    ['', { outStock: { disabled: true } }],
  ])('of %j', (Stock, expected) => {
    const { quantity, outStock } = payloadOf({ ...MATE, Stock });
    expect(JSON.parse(JSON.stringify({ quantity, outStock }))).toEqual(expected);
  });

  test('that is empty for some variants only holds for none, and causes a warning', () => {
    const { payload, warnings } = mapExport(
      PRESET,
      coloured(MATE, 'Rojo', { Stock: '' }),
      coloured(FURTHER, 'Azul', { Stock: '2' }),
    );
    expect(payload).toMatchObject({ quantity: { instock: 2 }, outStock: { disabled: false } });
    expect(warnings).toEqual([expect.stringContaining('sells on none')]);
  });

  test('is unknown in a file without the column', () => {
    const { Stock: _stock, ...rest } = MATE;
    expect(payloadOf(rest)).not.toHaveProperty('outStock');
  });
});

test('a product that is not physical is digital', () => {
  expect(payloadOf({ ...MATE, 'Producto Físico': 'NO' }).productType).toBe('DIGITAL');
});

test('a path of categories is one name', () => {
  expect(payloadOf({ ...MATE, Categorías: 'Cocina > Mates, Regalos' }).collections).toEqual([
    'Cocina > Mates',
    'Regalos',
  ]);
});

test('two variants with the same values are found at the second', () => {
  const { payload } = mapExport(PRESET, coloured(MATE, 'Rojo'), coloured(FURTHER, 'Rojo'));
  expect(variantFaults(payload, false)).toMatchObject([{ code: 'same-sku' }, { code: 'same-options' }]);
});
