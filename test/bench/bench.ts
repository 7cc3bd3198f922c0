/**
 * Measures the speed of storeport, as ratios to its libraries and to a script that one would write instead. All are
 * measured in one run on one machine, since absolute figures mean little elsewhere.
 * `npm run bench -- --help` lists the options.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cheapStore } from './child.ts';
import { COMPARISONS, type Comparison, type Figures, type Setting } from './jobs.ts';
import { besideRelease, type CpuRatios, type ReleaseRatios, ratiosOf } from './last-release.ts';
import { type BenchOptions, readOptions, USAGE_EXIT_CODE, UsageError, usageOf } from './options.ts';
import { writeProducts } from './products.ts';
import { inDocs, type Line, markdown, medianOf } from './table.ts';

const options = optionsOrExit();
/** Long enough for the work to cost more than the start. */
const SHORT_RECORDS = 5000;
const SHORT_COMPARISONS = ['import into a cheap store', 'validate'];
const given = options.short ? [SHORT_RECORDS] : options.records;
const sizesOf = ({ records }: Comparison) => records ?? given ?? [1000, 20_000];
const titles = options.short ? SHORT_COMPARISONS : options.only;
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
      concurrency: options.concurrency,
      latencyMs: options.latencyMs,
    };
    await writeProducts(setting.file, records);
    for (const { title, jobs } of comparisons.filter((each) => sizesOf(each).includes(records))) {
      const wanted = jobs.filter(({ name }) => options.skip === '' || !name.startsWith(options.skip));
      const measured = new Map<string, Figures[]>(wanted.map(({ name }) => [name, []]));
      for (let round = 1; round <= options.rounds; round++) {
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

const where = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${process.platform}; ${options.concurrency} requests in flight${options.latencyMs === 0 ? '' : `; the store answers after ${options.latencyMs} ms`}; the cheap store is ${cheapStore() === 'nginx-store' ? 'nginx' : 'our own'}; median of ${options.rounds}.`;
const table = `${where}\n\n${markdown(lines)}`;
if (!options.short) console.log(table);
else noteOrCompare(ratiosOf(lines));
if (options.docs) {
  const page = join(root, 'docs', 'benchmarks.md');
  writeFileSync(page, inDocs(readFileSync(page, 'utf8'), table));
}

function optionsOrExit(): BenchOptions {
  const all = COMPARISONS.map(({ title }) => title);
  try {
    const read = readOptions(process.argv.slice(2), all);
    if (read !== 'help') return read;
    console.log(usageOf(all));
    process.exit(0);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message} (see --help)`);
    process.exit(USAGE_EXIT_CODE);
  }
}

function noteOrCompare(ratios: Record<string, CpuRatios>): void {
  const file = join(root, 'test', 'bench', 'last-release.json');
  if (options.noteRelease) {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const noted: ReleaseRatios = { version, records: SHORT_RECORDS, ratios };
    writeFileSync(file, `${JSON.stringify(noted, null, 2)}\n`);
  }
  console.log(besideRelease(ratios, JSON.parse(readFileSync(file, 'utf8')) as ReleaseRatios));
}
