/** Rows of PADDING that a thread reads. Few long rows cost less than many short ones, and are as many batches. */
export const THREAD_ROWS = 800;
/** The text that makes rows so long. */
export const PADDING = 'x'.repeat(2900);

/** Rows with mistakes of every kind: some invalid, some repeated, some damaged. */
function productLines(count: number, prefix: string): string[] {
  return Array.from({ length: count }, (_, n) => {
    const reference = n % 97 === 5 ? `${prefix}-${n - 1}` : `${prefix}-${n}`;
    const price = n % 89 === 3 ? 'dear' : n % 83 === 1 ? '' : String(n);
    const name = n % 79 === 2 ? '' : n % 73 === 4 ? `CafÃ© ${n}` : `"Product, ${n}"`;
    const torn = n % 401 === 7 ? ',one cell too many' : '';
    return `${name},${reference},${price},${n % 50},${PADDING}${torn}`;
  });
}

const HEADER = 'name,reference,price.salePrice,quantity.instock,description';

/** A CSV of products with mistakes. */
export function flawedProducts(count: number, prefix: string): string {
  return `${[HEADER, ...productLines(count, prefix)].join('\n')}\n`;
}
