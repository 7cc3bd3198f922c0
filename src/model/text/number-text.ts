/**
 * The digits of a finite number, as `String` writes them. For code that runs for every record: V8 keeps the text that
 * `String` makes among its long-lived objects, where garbage stays long.
 */
export function numberText(number: number): string {
  return JSON.stringify(number);
}
