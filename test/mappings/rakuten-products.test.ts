import { describe, expect, test } from 'vitest';
import { gatherExport, mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'rakuten-products';
type Cells = Record<string, string>;

const NUMBER = '商品管理番号（商品URL）';
const DICE: Cells = {
  [NUMBER]: 'oak-dice',
  商品番号: 'D-6',
  商品名: 'オークのサイコロ',
  販売価格: '1250',
  倉庫指定: '0',
  注文ボタン: '1',
  在庫タイプ: '1',
  在庫数: '24',
};
const payloadOf = (more: Cells = {}) => payloadIn(PRESET, { ...DICE, ...more });

const JACKET: Cells = {
  ...DICE,
  [NUMBER]: 'jacket',
  商品番号: 'JK',
  在庫タイプ: '2',
  在庫数: '',
  項目選択肢別在庫用横軸項目名: 'サイズ',
};

/** A row of dl-select: a choice with a stock. */
const choice = (size: string, more: Cells = {}): Cells => ({
  [NUMBER]: 'jacket',
  選択肢タイプ: 'i',
  項目選択肢別在庫用横軸選択肢: size,
  項目選択肢別在庫用在庫数: '3',
  在庫切れ時の注文受付: '0',
  ...more,
});

function jacket(...rows: Cells[]) {
  const { payload, warnings = [] } = mapExport(PRESET, JACKET, ...rows);
  return { ...payload, warned: warnings.length } as Record<string, unknown>;
}

test('a row of dl-item is a product', () => {
  expect(payloadOf({ PC用キャッチコピー: '木のぬくもり' })).toEqual({
    name: 'オークのサイコロ',
    reference: 'oak-dice',
    model: 'D-6',
    description: '木のぬくもり',
    type: 'simple',
    status: 'PUBLISH',
    price: { salePrice: 1250 },
    quantity: { instock: 24 },
  });
});

test('a product has both texts for computers, else the text for phones', () => {
  const texts = {
    PC用商品説明文: '<p>一</p>',
    PC用販売説明文: '<p>二</p>',
    スマートフォン用商品説明文: '三',
  };
  expect(payloadOf(texts).html).toBe('<p>一</p>\n<p>二</p>');
  expect(payloadOf({ スマートフォン用商品説明文: '三' }).html).toBe('三');
});

test('blanks are between the addresses of images', () => {
  const { images } = payloadOf({ 商品画像URL: 'https://a.example/1.jpg https://a.example/2.jpg' });
  expect(images).toEqual([{ src: 'https://a.example/1.jpg' }, { src: 'https://a.example/2.jpg' }]);
});

test.each([
  ['a higher price is shown beside it', '1500', { salePrice: 1250, comparePrice: 1500 }],
  ['a lower price is not shown', '900', { salePrice: 1250 }],
  ['a text is not shown', 'オープン価格', { salePrice: 1250 }],
])('%s', (_what, 表示価格, price) => {
  expect(payloadOf({ 表示価格 }).price).toEqual(price);
});

describe('status', () => {
  test.each([
    ['a row that deletes the product', 'DRAFT', 1, { コントロールカラム: 'd' }],
    ['a product in the warehouse', 'DRAFT', 0, { 倉庫指定: '1' }],
    ['no word about the warehouse', 'DRAFT', 1, { 倉庫指定: '' }],
    ['hidden from searches', 'DRAFT', 0, { サーチ非表示: '1' }],
    ['found by searches', 'PUBLISH', 0, { サーチ非表示: '0' }],
    ['a password', 'DRAFT', 0, { 闇市パスワード: 'oak' }],
    ['no button for orders', 'DRAFT', 1, { 注文ボタン: '0' }],
    ['a period of sale', 'DRAFT', 1, { 販売期間指定: '2026/12/01 10:00 2026/12/25 23:59' }],
    ['no price', 'DRAFT', 1, { 販売価格: '' }],
    ['choices that are not in the files', 'DRAFT', 1, { 在庫タイプ: '2' }],
  ])('%s → %s', (_what, status, warned, more: Cells) => {
    const { payload, warnings = [] } = mapExport(PRESET, { ...DICE, ...more });
    expect([payload.status, warnings.length]).toEqual([status, warned]);
  });
});

describe('stock', () => {
  test('a stock that is not counted does not end a sale', () => {
    const { quantity, outStock } = payloadOf({ 在庫タイプ: '0' });
    expect([quantity, outStock]).toEqual([undefined, { disabled: true }]);
  });

  test('a stock that may be oversold does not end a sale', () => {
    const { quantity, outStock } = payloadOf({ 在庫数: '0', 在庫切れ時の注文受付: '1' });
    expect([quantity, outStock]).toEqual([{ instock: 0 }, { disabled: true }]);
  });

  test('the stock of a product with choices is that of all choices', () => {
    expect(jacket(choice('S'), choice('M', { 項目選択肢別在庫用在庫数: '4' }))).toMatchObject({
      quantity: { instock: 7 },
      warned: 0,
    });
    expect(jacket(choice('S'))).not.toHaveProperty('outStock');
  });

  test('a product is sold on only if all of its choices are', () => {
    const on = { 在庫切れ時の注文受付: '1' };
    expect(jacket(choice('S', on), choice('M', on))).toMatchObject({
      outStock: { disabled: true },
      warned: 0,
    });
    expect(jacket(choice('S', on), choice('M'))).toMatchObject({ outStock: { disabled: false }, warned: 1 });
  });
});

describe('files that are joined', () => {
  test('choices and categories name their product by its number, in any order', async () => {
    const category = { [NUMBER]: 'jacket', 商品名: 'ジャケット', 表示先カテゴリ: '衣類\\上着' };
    const records = await gatherExport(PRESET, category, choice('S'), DICE, JACKET);
    expect(records.map(({ payload }) => payload.reference)).toEqual(['jacket', 'oak-dice']);
    expect(records[0]?.payload).toMatchObject({
      name: 'オークのサイコロ',
      type: 'variable',
      collections: ['衣類\\上着'],
      status: 'PUBLISH',
      variants: [{ name: 'S' }],
    });
  });

  test('each choice with a stock is a variant, with the number that it has in orders', () => {
    const black = { 項目選択肢別在庫用縦軸選択肢: '黒', 項目選択肢別在庫用縦軸選択肢子番号: '-bk' };
    const numbered = (size: string) =>
      choice(size, { ...black, 項目選択肢別在庫用横軸選択肢子番号: `-${size}` });
    const { payload } = mapExport(
      PRESET,
      { ...JACKET, 表示価格: '1500', 項目選択肢別在庫用縦軸項目名: 'カラー' },
      numbered('s'),
      numbered('m'),
    );
    expect(payload).toMatchObject({
      options: [
        { name: 'サイズ', values: [{ value1: 's' }, { value1: 'm' }] },
        { name: 'カラー', values: [{ value1: '黒' }] },
      ],
      variants: [
        {
          name: 's - 黒',
          reference: 'JK-s-bk',
          option1: { name: 'サイズ', value1: 's' },
          option2: { name: 'カラー', value1: '黒' },
          price: { salePrice: 1250, comparePrice: 1500 },
          quantity: { instock: 3 },
        },
        { reference: 'JK-m-bk' },
      ],
    });
  });

  test('without a number of its own, a product gives its variants the number of its address', () => {
    const { payload } = mapExport(
      PRESET,
      { ...JACKET, 商品番号: '' },
      choice('S', { 項目選択肢別在庫用横軸選択肢子番号: '-s' }),
      choice('M'),
    );
    expect(payload.variants).toMatchObject([{ reference: 'jacket-s' }, { name: 'M' }]);
    expect((payload.variants as Cells[])[1]).not.toHaveProperty('reference');
  });

  test('choices without a stock are left out with a warning', () => {
    const wrapping = { [NUMBER]: 'jacket', 選択肢タイプ: 's', 'Select/Checkbox用項目名': '包装' };
    const made = jacket(wrapping, choice('S'));
    expect(made).toMatchObject({ status: 'PUBLISH', warned: 1 });
    expect(made.variants).toHaveLength(1);
  });
});
