/**
 * csv-parse alone: parses the file into arrays of cells and reads every cell.
 *
 *     node csv-parse-alone.js <file>      prints {"rows", "ms"}
 */
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

const startedAt = performance.now();
let rows = 0;
let length = 0;
for await (const cells of createReadStream(process.argv[2] ?? '').pipe(parse({ columns: false }))) {
  rows++;
  for (const cell of cells as string[]) length += cell.length;
}
console.log(JSON.stringify({ rows: rows - 1, length, ms: performance.now() - startedAt }));
