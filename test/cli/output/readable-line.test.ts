import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLog } from '../../../src/cli/output/logger.ts';
import { readableLine } from '../../../src/cli/output/readable-line.ts';
import { storeport, temporaryFolder } from '../../support/run.ts';
import { keptOutput } from '../../support/test-io.ts';

const line = (fields: object) => `${JSON.stringify(fields)}\n`;

test('a line has time, level, message and the other fields, without the command', () => {
  const given = line({
    ...{ level: 40, time: '2026-03-01T09:30:12.042Z', command: 'import', store: 'https://a.example' },
    ...{ from: 40, to: 20, reason: 'it refused', msg: 'The store refused requests.' },
  });
  expect(readableLine(given)).toBe(
    '09:30:12.042 WARN  The store refused requests. store=https://a.example from=40 to=20 reason="it refused"\n',
  );
});

test('a text that is no JSON stays as it is', () => {
  expect(readableLine('not JSON\n')).toBe('not JSON\n');
});

test('every event is one line, whatever its fields hold', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
      const text = readableLine(line({ level: 30, msg: 'event', ...fields, time: 'now' }));
      expect(text.endsWith('\n')).toBe(true);
      if (
        !String(fields.msg ?? '').includes('\n') &&
        !Object.keys(fields).some((name) => name.includes('\n'))
      )
        expect(text.split('\n')).toHaveLength(2);
    }),
  );
});

test('without a terminal and in a file the log is JSON', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'in.csv'), 'name,reference\nMug,M-1\n');
  const { stderr } = await storeport(['validate', 'products', 'in.csv', '--log-level', 'info', '--quiet'], {
    cwd,
  });
  const lines = stderr.trim().split('\n');
  expect(lines.length).toBeGreaterThan(3);
  for (const each of lines) expect(JSON.parse(each)).toMatchObject({ command: 'validate' });
});

test('on a terminal lines are for people, and still masked', async () => {
  const written: string[] = [];
  const stderr = keptOutput({ isTTY: true });
  const log = await createLog({
    level: 'info',
    mask: (text) => text.replaceAll('geheim', '***'),
    onFailure: (message) => written.push(message),
    stderr,
    onExit: () => () => {},
  });
  log.about({ command: 'import', store: 'https://a.example' });
  log.warn({ token: 'geheim' }, 'Careful.');
  expect(written).toEqual([]);
  expect(stderr.text()).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} WARN {2}Careful\. store=https:\/\/a\.example token=\*{3}\n$/,
  );
});
