/**
 * Measures the speed of storeport, as ratios to its libraries and to a script that one would write instead. All are
 * measured in one run on one machine, since absolute figures mean little elsewhere.
 *
 *     npm run bench                                 1,000 and 20,000 records, three rounds: some minutes
 *     npm run bench -- --records 200000,1000000 --rounds 1
 *     npm run bench -- --only import --latency 10   with a store that answers in 10 ms, like a remote one
 *     npm run bench -- --only 'import into a cheap store' --records 100000
 *     npm run bench -- --only 'short imports'       whole commands of 10, 100 and 1,000 records
 *     npm run bench -- --only validate --docs       writes the table into docs/benchmarks.md
 *     npm run bench -- --short                      half a minute: compares the CPU time with that at the last release
 *     npm run bench -- --short --note-release       notes it for the release that is being made
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cheapStore } from './child.ts';
import { COMPARISONS, type Comparison, type Figures, type Setting } from './jobs.ts';
import { besideRelease, type CpuRatios, type ReleaseRatios, ratiosOf } from './last-release.ts';
import { writeProducts } from './products.ts';
import { inDocs, type Line, markdown, medianOf } from './table.ts';

const { values } = parseArgs({
  options: {
    records: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    concurrency: { type: 'string', default: '32' },
    latency: { type: 'string', default: '0' },
    only: { type: 'string', default: COMPARISONS.map(({ title }) => title).join(',') },
    skip: { type: 'string', default: '' },
    docs: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    'note-release': { type: 'boolean', default: false },
  },
});
/** Long enough for the work to cost more than the start. */
const SHORT_RECORDS = 5000;
const SHORT_COMPARISONS = ['import into a cheap store', 'validate'];
const given = values.short ? [SHORT_RECORDS] : values.records?.split(',').map(Number);
const sizesOf = ({ records }: Comparison) => records ?? given ?? [1000, 20_000];
const titles = values.short ? SHORT_COMPARISONS : values.only.split(',');
const comparisons = COMPARISONS.filter(({ title }) => titles.includes(title));
const root = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'storeport-bench-'));
const lines: Line[] = [];
try {
  for (const records of new Set(comparisons.flatMap(sizesOf))) {
    const setting: Setting = {
      built: import.meta.dirname,
      storeport: join(root, 'dist', 'storeport.js'),
      folder,
      file: join(folder, 'products.csv'),
      records,
      concurrency: Number(values.concurrency),
      latencyMs: Number(values.latency),
    };
    await writeProducts(setting.file, records);
    for (const { title, jobs } of comparisons.filter((each) => sizesOf(each).includes(records))) {
      const wanted = jobs.filter(({ name }) => values.skip === '' || !name.startsWith(values.skip));
      const measured = new Map<string, Figures[]>(wanted.map(({ name }) => [name, []]));
      for (let round = 1; round <= Number(values.rounds); round++) {
        for (const { name, measure } of wanted) {
          const figures = await measure(setting);
          measured.get(name)?.push(figures);
          const { rowsPerSecond, peakMb, cpuUsPerRow } = figures;
          console.error(
            `${title} ${records}, round ${round}: ${name} ${Math.round(rowsPerSecond)} rows/s, ${Math.round(peakMb)} MB, ${Math.round(cpuUsPerRow)} µs`,
          );
        }
      }
      for (const [name, figures] of measured) lines.push({ title, records, name, ...medianOf(figures) });
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

const where = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${process.platform}; ${values.concurrency} requests in flight${values.latency === '0' ? '' : `; the store answers after ${values.latency} ms`}; the cheap store is ${cheapStore() === 'nginx-store' ? 'nginx' : 'our own'}; median of ${values.rounds}.`;
const table = `${where}\n\n${markdown(lines)}`;
if (!values.short) console.log(table);
else noteOrCompare(ratiosOf(lines));
if (values.docs) {
  const page = join(root, 'docs', 'benchmarks.md');
  writeFileSync(page, inDocs(readFileSync(page, 'utf8'), table));
}

function noteOrCompare(ratios: Record<string, CpuRatios>): void {
  const file = join(root, 'test', 'bench', 'last-release.json');
  if (values['note-release']) {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const noted: ReleaseRatios = { version, records: SHORT_RECORDS, ratios };
    writeFileSync(file, `${JSON.stringify(noted, null, 2)}\n`);
  }
  console.log(besideRelease(ratios, JSON.parse(readFileSync(file, 'utf8')) as ReleaseRatios));
}
