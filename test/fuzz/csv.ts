/**
 * Reads hostile CSV three times: with regular rows split by `regular-rows.ts`, the same in one piece, and by csv-parse
 * alone. Compares cells, places, bytes, damage and errors. Prints the first differences with the seed that repeats each.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { hostileCsv, splitRows } from '../support/hostile-csv.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const first = Number(values.seed);
const count = Number(values.count);
const MOST_SHOWN = 5;
let different = 0;
let rows = 0;
for (let seed = first; seed < first + count; seed++) {
  const csv = hostileCsv(seed);
  const [own, library] = [splitRows(csv, false), splitRows(csv, true)];
  const uncut = splitRows({ ...csv, chunks: [Buffer.concat([...csv.chunks])] }, false);
  rows += library.length;
  if (isDeepStrictEqual(own, library) && isDeepStrictEqual(own, uncut)) continue;
  different += 1;
  if (different > MOST_SHOWN) continue;
  const at = library.findIndex((row, index) => !isDeepStrictEqual(row, own[index]));
  const text = JSON.stringify(
    Buffer.concat([...csv.chunks])
      .toString('latin1')
      .slice(0, 400),
  );
  console.log(`seed ${seed}, ${JSON.stringify(csv.dialect)}, most ${csv.maxRowBytes}: ${text}`);
  console.log(`  chunks ${csv.chunks.map(({ length }) => length).join(' ')}, row ${at}`);
  console.log(`  in one piece: ${isDeepStrictEqual(own, uncut) ? 'the same' : JSON.stringify(uncut[at])}`);
  console.log(`  csv-parse ${JSON.stringify(library[at])}\n  own       ${JSON.stringify(own[at])}`);
}
console.log(`${count} inputs, ${rows} rows, ${different} read differently`);
process.exitCode = different === 0 ? 0 : 1;
