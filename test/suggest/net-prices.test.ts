import { describe, expect, test } from 'vitest';
import { suggested } from '../support/suggested.ts';

const doubtOf = (...lines: readonly string[]) => {
  const { draft, payloads } = suggested('orders', lines.join('\n'));
  return { doubt: draft.fields.find(({ field }) => field === 'details')?.doubt, payloads };
};

describe('orders with net prices only', () => {
  test('orders with net prices only have a doubt with both columns and the rule to write', () => {
    const { doubt, payloads } = doubtOf(
      'Belegnr,Kunde,Artikel,Menge,E-Preis netto,MwSt %,G-Preis netto',
      'R1,Anna Meyer,Becher,2,"8,40",19,"16,80"',
      'R1,Anna Meyer,Stift,1,"2,52",19,"2,52"',
      'R2,Bo Ray,Becher,1,"8,40",19,"8,40"',
    );
    expect(doubt).toBe(
      'prices are without tax (E-Preis netto and G-Preis netto), so lines have no price; to send them, add price: { from: G-Preis netto, number: german }, with multiply: 1.19 to add MwSt %',
    );
    expect(JSON.stringify(payloads)).not.toContain('price');
  });

  test('orders with net prices only have no factor for several rates of tax', () => {
    const { doubt } = doubtOf(
      'Order,Product,Qty,Unit price excl. VAT,VAT rate,Amount excl. VAT',
      '1,Mug,2,8.40,20%,16.80',
      '2,Book,3,5.00,5%,15.00',
    );
    expect(doubt).toBe(
      'prices are without tax (Unit price excl. VAT and Amount excl. VAT), so lines have no price; to send them, add price: { from: Amount excl. VAT, number: true }',
    );
  });

  test('orders with net prices only have no rule to write if no column surely has the amount of a line', () => {
    const { doubt } = doubtOf('Order,Product,Qty,Net price', '1,Mug,2,8.40', '2,Book,3,5.00');
    expect(doubt).toBe('prices are without tax (Net price), so lines have no price');
  });

  test('beside prices with tax have no such doubt', () => {
    const { doubt } = doubtOf(
      'Order,Product,Qty,Net unit price,Unit price incl. VAT',
      '1,Mug,2,7.00,8.40',
      '2,Book,3,4.00,5.00',
    );
    expect(doubt ?? '').not.toContain('without tax');
  });
});
