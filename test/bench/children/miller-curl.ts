/**
 * Miller and curl, as one would use them in a shell: the same file, the same bodies, the same concurrency. Nothing is
 * checked, limited or recorded.
 *
 *     node miller-curl.js <file> <concurrency>
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { accessToken, environment } from './token.ts';

const [file = '', concurrency = '1'] = process.argv.slice(2);

const PAYLOAD = `
  $* = {
    "name": $name, "reference": $reference, "description": $description, "status": $status,
    "tags": splitax($tags, "|"),
    "price": {"salePrice": \${price.salePrice}, "comparePrice": \${price.comparePrice}},
    "quantity": {"instock": \${quantity.instock}},
    "images": [{"src": \${images.0.src}, "title": \${images.0.title}}],
    "seo": {"title": \${seo.title}},
    "html": $html
  }`;

/** One section of curl's configuration for each line of JSON. */
const SECTION = String.raw`{
  gsub(/\\/, "\\\\"); gsub(/"/, "\\\"");
  printf("%surl = \"%s\"\nheader = \"content-type: application/json\"\nheader = \"x-auth-token: %s\"\noutput = \"/dev/null\"\ndata-raw = \"%s\"\n", (NR > 1 ? "next\n" : ""), ENVIRON["CREATE_URL"], ENVIRON["TOKEN"], $0)
}`;

/** `times` says the user and system time of all programs of the shell. */
const PIPELINE = `mlr --icsv --ojsonl put "$PAYLOAD" "$FILE" | awk "$SECTION" |
  curl --silent --show-error --fail --parallel --parallel-max "$CONCURRENCY" --config - && times`;

const ended = spawnSync('sh', ['-c', PIPELINE], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    PATH: process.env.PATH,
    CREATE_URL: `${environment().url}/api/products/create`,
    TOKEN: await accessToken(),
    ...{ PAYLOAD, SECTION, FILE: file, CONCURRENCY: concurrency },
  },
});
if (ended.status !== 0) process.exit(1);

// The second line is of the programs: `1m2.500000s 0m3.250000s`.
const seconds = [...(ended.stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)].map(
  ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
);
const cpuUs = seconds.reduce((sum, each) => sum + each, 0) * 1e6;
const usage = process.env.BENCH_USAGE;
// After the counters of this process, which only waits.
if (usage) process.on('exit', () => writeFileSync(usage, JSON.stringify({ cpuUs })));
