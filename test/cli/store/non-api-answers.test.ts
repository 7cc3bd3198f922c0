import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readReports, storeport, temporaryFolder } from '../../support/run.ts';
import * as wire from '../../support/store/adversary.ts';

const BLOCKED = wire.reply(403, '<html><head><title>Request blocked</title></head></html>');
const LOGIN = wire.reply(302, '', { location: 'http://login.example/' });

test('records answered by a system in between are listed separately, and the printed command sends them again', async () => {
  let isInBetween = true;
  const step: wire.Step = (socket, request) => {
    const stands = (words: string) => isInBetween && request.body.includes(words);
    const met = stands('disliked') ? BLOCKED : stands('moved') ? LOGIN : wire.created(idOf(request));
    met(socket, request);
  };
  await using store = await wire.adversary({ script: [step] });
  const cwd = temporaryFolder();
  const names = ['fine', 'disliked 1', 'fine too', 'moved', 'good', 'disliked 2'];
  writeFileSync(
    join(cwd, 'in.csv'),
    ['name,reference', ...names.map((name, n) => `${name},R${n}`), ''].join('\n'),
  );
  const run = (...args: string[]) =>
    storeport([...args, '--concurrency', '1'], {
      cwd,
      env: {
        STOREPORT_BASE_URL: store.url,
        STOREPORT_CLIENT_ID: 'me',
        STOREPORT_CLIENT_SECRET: 'not-this-one',
      },
    });

  const first = await run('import', 'products', 'in.csv', '--out', 'out');
  expect(first.code).toBe(1);
  const { summary, results } = readReports(join(cwd, 'out'));
  expect(summary.outcomes).toEqual({ created: 3, rejected: 3 });
  expect(
    results.filter(({ code }) => code !== '').map(({ key, code, message }) => [key, code, message]),
  ).toEqual([
    ['R1', 'refused-by-page', expect.stringMatching(/firewall.*: Request blocked$/)],
    ['R3', 'redirected', expect.stringContaining('http://login.example/')],
    ['R5', 'refused-by-page', expect.stringMatching(/firewall.*: Request blocked$/)],
  ]);
  const said = first.stdout + first.stderr;
  expect(said).toContain('3 records met a redirect or a web page');
  expect(said).toContain(`storeport run retry ${summary.run} --rejected`);
  // Their rows are valid.
  expect(said).not.toContain('correct the rows');

  isInBetween = false;
  const again = await run('run', 'retry', '--rejected');
  expect(again.code).toBe(0);
  expect(readReports(join(cwd, 'out')).summary.outcomes).toEqual({ created: 6 });
});

function idOf({ body }: wire.WireRequest): string {
  return `66f00000000000000000000${JSON.parse(body || '{"reference":"R0"}').reference.slice(1)}`;
}
