// Exports hostile reviews to CSV, reads them with every CSV reader of this machine, and compares each cell with the store
// and with csv-parse. Not part of the tests, which need no other program.
//
//   npm run build && node scripts/readers.mjs
//
// Looks for python3 (its own csv, pandas, duckdb) and sqlite3, by trying them on the PATH. Prints a table with missing
// readers; exits with 1 if a cell differs.
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';

const binary = fileURLToPath(new URL('../dist/storeport.js', import.meta.url));

/** Options of an export, and the fields of an item in its columns, in order. */
const FILES = {
  raw: {
    args: ['--raw', '--columns', '_id,content,product.name'],
    of: (r) => [r._id, r.content, r.product?.name],
  },
  'raw, hostile first': { args: ['--raw', '--columns', 'content,_id'], of: (r) => [r.content, r._id] },
  'raw, one column': { args: ['--raw', '--columns', 'content'], of: (r) => [r.content] },
  defused: {
    args: ['--columns', '_id,content,product.name'],
    of: (r) => [r._id, r.content, r.product?.name],
  },
};

/** Each prints a list of rows, header first, as JSON. `version` fails if the reader is not installed. */
const READERS = {
  'python csv': {
    version: ['python3', '-c', 'import csv, sys; print(sys.version.split()[0])'],
    read: (file) => [
      'python3',
      '-c',
      `import csv, json, sys
csv.field_size_limit(1 << 30)
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    json.dump(list(csv.reader(file)), sys.stdout)`,
      file,
    ],
  },
  pandas: {
    version: ['python3', '-c', 'import pandas; print(pandas.__version__)'],
    read: (file) => [
      'python3',
      '-c',
      `import json, sys, pandas
table = pandas.read_csv(sys.argv[1], dtype=str, keep_default_na=False)
json.dump([list(table.columns)] + table.values.tolist(), sys.stdout)`,
      file,
    ],
  },
  duckdb: {
    version: ['python3', '-c', 'import duckdb; print(duckdb.__version__)'],
    read: (file) => [
      'python3',
      '-c',
      `import duckdb, json, sys
table = duckdb.sql(f"""SELECT * FROM read_csv('{sys.argv[1]}', header = true, all_varchar = true, delim = ',',
    quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false, max_line_size = 16000000)""")
json.dump([table.columns] + [["" if cell is None else cell for cell in row] for row in table.fetchall()], sys.stdout)`,
      file,
    ],
  },
  sqlite3: {
    version: ['sqlite3', '--version'],
    read: (file, header) => [
      'sqlite3',
      ':memory:',
      '.mode csv',
      `.import ${file} cells`,
      '.mode list',
      `SELECT json_array(json_array(${header.map((name) => `'${name}'`).join()}))`,
      `SELECT json_array(${header.map((name) => `"${name}"`).join()}) FROM cells ORDER BY rowid`,
    ],
    rows: (text) => {
      const [header, ...rows] = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      return [...header, ...rows];
    },
  },
};

const reviews = hostileReviews();
const folder = mkdtempSync(join(tmpdir(), 'storeport-readers-'));
const server = await listStore(reviews);
let failed = false;
try {
  const readers = Object.entries(READERS).map(([name, reader]) => ({
    name,
    ...reader,
    found: foundBy(reader),
  }));
  console.log('| file | reader | rows | cells that differ |\n|---|---|---|---|');
  for (const [name, { args, of }] of Object.entries(FILES)) {
    const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.csv`);
    await exportTo(file, args);
    const known = parse(readFileSync(file), { bom: true });
    const want = [known[0], ...reviews.map((review) => of(review).map(textOf))];
    report(name, 'csv-parse', known, want, name === 'defused');
    for (const reader of readers.filter(({ found }) => found))
      report(name, `${reader.name} ${reader.found}`, readBy(reader, file, known[0]), known);
  }
  for (const { name, found } of readers) if (!found) console.log(`${name} is not there.`);
} finally {
  server.close();
  rmSync(folder, { recursive: true });
}
process.exit(failed ? 1 : 0);

/** `mayBeDefused`: an apostrophe before the text is not a difference. */
function report(file, reader, rows, want, mayBeDefused = false) {
  const problems =
    rows.length === want.length ? [] : [`${rows.length} rows, and there should be ${want.length}`];
  want.forEach((cells, n) => {
    if (rows[n]?.length !== cells.length) problems.push(`row ${n + 1} has ${rows[n]?.length} cells`);
    cells.forEach((text, column) => {
      const read = rows[n]?.[column];
      if (read !== text && !(mayBeDefused && read === `'${text}`))
        problems.push(`row ${n + 1}: ${shown(read)} for ${shown(text)}`);
    });
  });
  console.log(`| ${file} | ${reader} | ${rows.length - 1} | ${problems.length} |`);
  for (const problem of problems.slice(0, 5)) console.log(`|   | ${problem} | | |`);
  failed ||= problems.length > 0;
}

function shown(text) {
  return JSON.stringify(text)?.slice(0, 80);
}

/** Version of a reader; undefined if it is not installed. */
function foundBy({ version: [program, ...args] }) {
  try {
    return execFileSync(program, args, { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }).split(
      /\s/,
    )[0];
  } catch {
    return undefined;
  }
}

function readBy({ read, rows = JSON.parse }, file, header) {
  const [program, ...args] = read(file, header);
  return rows(execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 30 }));
}

async function exportTo(file, args) {
  const env = {
    ...process.env,
    STOREPORT_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    STOREPORT_CLIENT_ID: 'readers',
    STOREPORT_CLIENT_SECRET: 'readers-secret',
  };
  const line = [binary, 'export', 'reviews', '--out', file, '--home', join(folder, 'home'), ...args];
  await promisify(execFile)(process.execPath, line, { env });
}

/** The expected cell for a value of the store. Half of a surrogate pair is not text in UTF-8. */
function textOf(value) {
  return (value ?? '').toWellFormed();
}

function hostileReviews() {
  const pieces = [
    ...[
      '"',
      '""',
      ',',
      ';',
      '\t',
      '|',
      "'",
      '\\',
      '\\"',
      '\\N',
      '#',
      '=',
      '+1',
      '-1',
      '@',
      ' ',
      '  ',
      '%',
      '{',
      '[',
    ],
    ...[
      '\n',
      '\r',
      '\r\n',
      '\n\n',
      '\r\r',
      '\v',
      '\f',
      '\u001a',
      '\u0085',
      '\u2028',
      '\u2029',
      '\u00a0',
      '\ufeff',
    ],
    ...['😀', '👩‍👩‍👧', '🇫🇷', 'e\u0301', 'שלום', 'مرحبا', '\u202eabc', '日本', 'ａ', '\ud800', '\udc00'],
    ...['NULL', 'null', 'NA', 'N/A', 'nan', 'None', 'true', '007', '1e5', '1,5', '2026-03-01', '_id', 'x'],
  ];
  const formulas = [
    '=1+1',
    '=HYPERLINK("http://x.example","a")',
    '+A1',
    '-A1+B2',
    '@SUM(A1)',
    "'=1",
    '\t=1',
    '＝1',
  ];
  const long = ['x'.repeat(70_000), '"'.repeat(40_000), 'a,"b"\r\n'.repeat(30_000), '😀'.repeat(300_000)];
  // Random texts, the same each time.
  let state = 7;
  const random = (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const mixed = Array.from({ length: 2_000 }, () =>
    Array.from({ length: 1 + random(6) }, () => pieces[random(pieces.length)]).join(''),
  );
  const texts = ['', undefined, ...pieces, ...formulas, ...long, ...mixed, ''];
  return texts.map((content, n) => ({
    _id: `r${n}`,
    ...(content !== undefined && { content }),
    product: n % 3 === 0 ? null : { name: texts[(n * 31) % texts.length] ?? 'cup' },
  }));
}

/** A store that lists these reviews, and has no other endpoint. */
async function listStore(items) {
  const server = createServer((request, response) => {
    const answer = (body) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const { pathname, searchParams } = new URL(request.url, 'http://store.invalid');
    if (pathname.startsWith('/api/stores/'))
      return answer({ accessToken: 'token-1', refreshToken: 'refresh-1', expireTime: 3600 });
    const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('limit'))];
    answer({
      results: items.slice((page - 1) * size, page * size),
      paginate: {
        total: items.length,
        per_page: size,
        current_page: page,
        last_page: Math.ceil(items.length / size),
      },
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
