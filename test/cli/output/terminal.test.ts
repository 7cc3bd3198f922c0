import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createLog } from '../../../src/cli/output/logger.ts';
import { createTerminal } from '../../../src/cli/output/terminal.ts';
import { createMask, UNCHECKED } from '../../../src/store/mask/mask.ts';
import { anyText } from '../../support/any-text.ts';
import { temporaryFolder } from '../../support/run.ts';
import { keptOutput } from '../../support/test-io.ts';

const SECRET = 'hunter2-and&more';

const NO_STREAMS = { stderr: keptOutput(), onExit: () => () => {} };

interface Options {
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly progress?: boolean;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

function open(options: Options = {}) {
  const stdout = new PassThrough();
  const stderr = Object.assign(new PassThrough(), {
    isTTY: options.isTTY ?? false,
    columns: options.columns ?? 0,
  });
  const terminal = createTerminal({
    quiet: options.quiet ?? false,
    json: options.json ?? false,
    progress: options.progress ?? true,
    mask: createMask([SECRET]),
    io: { stdin: new PassThrough(), stdout, stderr, env: {} },
    exit: () => {},
  });
  const resize = (columns: number) => {
    stderr.columns = columns;
  };
  return {
    terminal,
    resize,
    said: () => ({ out: String(stdout.read() ?? ''), err: String(stderr.read() ?? '') }),
  };
}

describe('terminal', () => {
  test('the terminal hides secrets in results, messages, errors and status lines, also ones added later', () => {
    const { terminal, said } = open();
    terminal.hide('token-that-came-later');
    for (const say of [terminal.out, terminal.note, terminal.error, terminal.status])
      say(`a ${SECRET} b ${encodeURIComponent(SECRET)} c token-that-came-later d`);
    const { out, err } = said();
    expect(out).toBe('a *** b *** c *** d\n');
    expect(err).toBe('a *** b *** c *** d\n'.repeat(3));
  });

  test('text from a file cannot control the terminal', () => {
    const { terminal, said } = open();
    terminal.out('a \u001b[31mred\u0007 b\n\tc');
    expect(said().out).toBe('a \\u001b[31mred\\u0007 b\n\tc\n');
  });

  test('invisible characters and direction changes are shown escaped', () => {
    const { terminal, said } = open();
    terminal.out('invoice\u202efdp.exe \u2066a\u2069 b\u200bc\u2028d \ufeff\u200f');
    expect(said().out).toBe('invoice\\u202efdp.exe \\u2066a\\u2069 b\\u200bc\\u2028d \\ufeff\\u200f\n');
    // A tag that is an invisible letter A.
    terminal.out('x\u{e0041}y');
    expect(said().out).toBe('x\\udb40\\udc41y\n');
    // Letters and emoji that need a joiner.
    terminal.out('می\u200cخواهم 👩\u200d👩\u200d👧 ünï');
    expect(said().out).toBe('می\u200cخواهم 👩\u200d👩\u200d👧 ünï\n');
  });

  /** Text with many relevant characters, found by other means than in the program. */
  const hostile = fc.oneof(
    anyText(),
    fc.string({
      unit: fc
        .oneof(
          fc.integer({ min: 0, max: 0xa0 }),
          fc.integer({ min: 0x2000, max: 0x206f }),
          fc.integer({ min: 0xe0000, max: 0xe007f }),
          fc.constantFrom(0x61c, 0x22, 0x5c, 0xfeff, 0x41),
        )
        .map((code) => String.fromCodePoint(code)),
    }),
  );
  const UNSEEN = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b\ufeff\u{e0000}-\u{e007f}]/u;

  test('no control character or direction change reaches the terminal, whatever the text', () => {
    fc.assert(
      fc.property(hostile, fc.boolean(), (text, isTTY) => {
        const { terminal, said } = open({ isTTY });
        for (const say of [terminal.out, terminal.note, terminal.error, terminal.status]) say(text);
        const { out, err } = said();
        const shown = (out + err).replaceAll('\r\u001b[2K', '').replaceAll(/\r\u001b\[\d+A\u001b\[J/g, '');
        expect(shown.replaceAll(/[\n\t]/g, '')).not.toMatch(UNSEEN);
      }),
    );
  });

  test('JSON output stays valid JSON with the same content', () => {
    fc.assert(
      fc.property(fc.dictionary(hostile, hostile), (value) => {
        const { terminal, said } = open();
        terminal.out(JSON.stringify(value));
        expect(JSON.parse(said().out)).toEqual(value);
      }),
    );
  });

  test('--quiet leaves only errors, --json drops notes, and --no-progress drops only progress', () => {
    const speak = ({ terminal, said }: ReturnType<typeof open>) => {
      terminal.note('note');
      terminal.status('status');
      terminal.error('error');
      return said().err;
    };
    expect(speak(open())).toBe('note\nstatus\nerror\n');
    expect(speak(open({ quiet: true }))).toBe('error\n');
    expect(speak(open({ progress: false }))).toBe('note\nerror\n');
    expect(speak(open({ json: true }))).toBe('status\nerror\n');
  });

  test('the status line is replaced on a terminal and never remains between messages', () => {
    const { terminal, said } = open({ isTTY: true });
    terminal.status('10 %');
    terminal.status('20 %');
    terminal.note('hello');
    expect(said().err).toBe('10 %\r\u001b[2K20 %\r\u001b[2Khello\n');
  });
});

describe('the status line', () => {
  const line = '45 % 12,345 records, 1,100/s, 3m 20s left: 12,000 created, 345 invalid';

  test('the status line is cut to the current width, also with wide characters', () => {
    const { terminal, said, resize } = open({ isTTY: true, columns: 40 });
    terminal.status(line);
    expect(said().err).toBe(`${line.slice(0, 38)}…`);
    resize(100);
    terminal.status(line);
    expect(said().err).toBe(`\r\u001b[2K${line}`);
    resize(11);
    terminal.status('');
    terminal.status('日本語日本語');
    expect(said().err).toMatch(/日本語日…$/);
  });

  test('a status line that wraps in a narrower window is cleared in all rows', () => {
    const { terminal, said, resize } = open({ isTTY: true, columns: 100 });
    terminal.status('x'.repeat(90));
    said();
    resize(40);
    terminal.note('hello');
    // Two rows above the row with the cursor.
    expect(said().err).toBe('\r\u001b[2A\u001b[Jhello\n');
  });

  test('the status line has no line breaks, and an empty one prints nothing without a terminal', () => {
    const live = open({ isTTY: true, columns: 40 });
    live.terminal.status('a\nb\tc');
    expect(live.said().err).toBe('a b c');
    const plain = open();
    plain.terminal.status('');
    plain.terminal.status(line);
    expect(plain.said().err).toBe(`${line}\n`);
  });
});

describe('the log', () => {
  test('the log hides secrets anywhere in an entry', async () => {
    const file = join(temporaryFolder(), 'a.log');
    const log = await createLog({
      level: 'debug',
      file,
      mask: createMask([SECRET]),
      onFailure: () => {},
      ...NO_STREAMS,
    });
    log.debug(
      () => ({ path: `/x?clientSecret=${encodeURIComponent(SECRET)}`, deep: { error: SECRET } }),
      `said ${SECRET}`,
    );
    const entry = readFileSync(file, 'utf8');
    expect(entry).not.toContain('hunter2');
    expect(JSON.parse(entry)).toMatchObject({ deep: { error: '***' }, msg: 'said ***' });
  });

  test('the log escapes control characters and keeps its content', async () => {
    const file = join(temporaryFolder(), 'a.log');
    const log = await createLog({
      level: 'debug',
      file,
      mask: createMask([]),
      onFailure: () => {},
      ...NO_STREAMS,
    });
    log.info({ key: 'a\u202eb\u009bc' }, 'said\u2066');
    const entry = readFileSync(file, 'utf8');
    expect(entry).toContain('a\\u202eb\\u009bc');
    expect(JSON.parse(entry)).toMatchObject({ key: 'a\u202eb\u009bc', msg: 'said\u2066' });
  });

  test('the log replaces a line that the mask could not check', async () => {
    const file = join(temporaryFolder(), 'a.log');
    const log = await createLog({
      level: 'info',
      file,
      mask: () => UNCHECKED,
      onFailure: () => {},
      ...NO_STREAMS,
    });
    log.info({}, SECRET);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ level: 50, msg: UNCHECKED });
  });

  test('the log omits lines below its level', async () => {
    const file = join(temporaryFolder(), 'a.log');
    const log = await createLog({
      level: 'warn',
      file,
      mask: (text) => text,
      onFailure: () => {},
      ...NO_STREAMS,
    });
    const asked = vi.fn(() => ({}));
    log.debug(asked, 'no');
    log.info({}, 'no');
    log.warn({}, 'yes');
    expect(
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).msg),
    ).toEqual(['yes']);
    expect(asked).not.toHaveBeenCalled();
  });
});
