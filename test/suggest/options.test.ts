import { expect, test } from 'vitest';
import { suggestedProducts } from '../support/suggested-products.ts';

/** Codes of variants with their options, such as `T-S: Size S, Color Red`. */
function variantsOf(text: string): string[][] {
  return suggestedProducts(text).map(({ variants = [] }) =>
    variants.map((variant) => {
      const options = [1, 2, 3].flatMap((number) => {
        const option = variant[`option${number}`] as { name?: string; value1?: string } | undefined;
        return option ? [[option.name, option.value1].filter((each) => each !== undefined).join(' ')] : [];
      });
      return [variant.reference, options.join(', ')].filter((each) => each !== '').join(': ');
    }),
  );
}

test.each([
  ['Handle', 'Option1 Name,Option1 Value,Option2 Name,Option2 Value'],
  ['Product ID', 'Attribute 1 name,Attribute 1 value,Attribute 2 name,Attribute 2 value'],
  ['Parent SKU', 'Option 1 Name,Option 1 Wert,Option 2 Name,Option 2 Wert'],
])('variants of a product that fills the second option only are kept: %s, %s', (key, options) => {
  const text =
    `${key},Title,${options},Variant SKU,Price\n` +
    'tee,Tee,Size,S,Color,Red,T-S,10\ntee,Tee,Size,M,Color,Red,T-M,10\n' +
    'cap,Cap,,,Color,Blue,C-B,8\ncap,Cap,,,Color,Green,C-G,9\npen,Pen,,,,,PEN,3\n';
  expect(variantsOf(text)).toEqual([
    ['T-S: Size S, Color Red', 'T-M: Size M, Color Red'],
    ['C-B: Color Blue', 'C-G: Color Green'],
    [],
  ]);
  expect(suggestedProducts(text).map(({ type }) => type)).toEqual(['variable', 'variable', 'simple']);
});
