import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hasColour,
  paintCommands,
  paintHelp,
  paintMessage,
  paintSummary,
} from '../../../src/cli/output/colour.ts';
import { createTerminal } from '../../../src/cli/output/terminal.ts';
import { OUTCOMES } from '../../../src/model/index.ts';
import { createMask } from '../../../src/store/mask/mask.ts';
import { onTerminal } from '../../support/on-terminal.ts';
import { sample, storeport, temporaryFolder } from '../../support/run.ts';

const RED = '\u001b[31m';
const ESCAPE = '\u001b';

test.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: true }, { NO_COLOR: '' }, true],
  [{ isTTY: true }, { NO_COLOR: '1' }, false],
  [{ isTTY: true }, { NO_COLOR: '0' }, false],
  [{ isTTY: true }, { TERM: 'dumb' }, false],
  [{ isTTY: true }, { TERM: 'xterm' }, true],
  [{ isTTY: false }, { TERM: 'xterm' }, false],
  [{}, {}, false],
  [{}, { FORCE_COLOR: '1' }, true],
  [{}, { FORCE_COLOR: '' }, false],
  [{ isTTY: true }, { FORCE_COLOR: '0' }, false],
  [{ isTTY: true }, { FORCE_COLOR: 'false' }, false],
  [{}, { FORCE_COLOR: '1', NO_COLOR: '1', TERM: 'dumb' }, true],
])('a stream %j with %j has colours: %s', (stream, environment, expected) => {
  expect(hasColour(stream, environment)).toBe(expected);
});

test('painting changes no text, whatever the text is', () => {
  const piece = fc.constantFrom(
    ...[
      'Error: ',
      'Warning: ',
      '\n',
      '   ',
      '  storeport run resume x',
      '12 created',
      'To do: ',
      'Options:\n',
    ],
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(piece, fc.string())).map((parts) => parts.join('')),
      (text) => {
        const plain = stripVTControlCharacters(text);
        for (const paint of [paintMessage, paintCommands, paintSummary, paintHelp])
          expect(stripVTControlCharacters(paint(plain))).toBe(plain);
      },
    ),
  );
});

test.each(OUTCOMES)('the outcome %s has a colour in a summary', (word) => {
  expect(paintSummary(`     1,204 ${word}`)).toMatch(/^ {5}1,204 \u001b\[\d+m[a-z-]+\u001b\[\d+m$/);
});

test.each([
  ['  storeport demo   a tour', `  ${ESCAPE}[36mstoreport demo${ESCAPE}[39m   a tour`],
  [
    '  node dist/storeport.js demo   a tour',
    `  ${ESCAPE}[36mnode dist/storeport.js demo${ESCAPE}[39m   a tour`,
  ],
  ['To continue: storeport run resume 2026-a', `storeport run resume 2026-a${ESCAPE}[39m`],
])('commands of next steps are painted: %s', (text, painted) => {
  expect(paintSummary(text)).toContain(painted);
});

describe('the terminal', () => {
  const open = (options: { isTTY?: boolean; json?: boolean; environment?: Record<string, string> }) => {
    const { isTTY = true, json = false, environment = {} } = options;
    const stdout = Object.assign(new PassThrough(), { isTTY });
    const stderr = Object.assign(new PassThrough(), { isTTY });
    const terminal = createTerminal({
      ...{ quiet: false, json, progress: true, mask: createMask(['Warning: secret']), exit: () => {} },
      io: { stdin: new PassThrough(), stdout, stderr, env: environment },
    });
    return { terminal, said: () => String(stdout.read() ?? '') + String(stderr.read() ?? '') };
  };

  test('paints after the mask and after control characters are escaped', () => {
    const { terminal, said } = open({});
    terminal.error(`Error: ${RED}mine\nWarning: secret`);
    expect(said()).toBe(`${RED}Error:${ESCAPE}[39m \\u001b[31mmine\n***\n`);
    terminal.out(`Warning: ${ESCAPE}[2J`, paintMessage);
    expect(said()).toBe(`${ESCAPE}[33mWarning:${ESCAPE}[39m \\u001b[2J\n`);
  });

  test.each([
    [{ isTTY: false }],
    [{ json: true }],
    [{ json: true, environment: { FORCE_COLOR: '1' } }],
    [{ environment: { NO_COLOR: '1' } }],
  ])('has no colours with %j', (options) => {
    const { terminal, said } = open(options);
    terminal.error('Error: no');
    terminal.note('Warning: no');
    terminal.out('Warning: no', paintMessage);
    expect(said()).not.toContain(ESCAPE);
  });
});

describe('the program', () => {
  const IMPORT = ['import', 'products', sample('shopify-products.csv'), '--sandbox'];

  test.each([[IMPORT], [['--help']], [['imprt']], [['demo']], [[]]])(
    'writes no colours into a pipe: storeport %j',
    async (args) => {
      const { stdout, stderr } = await storeport(args, { cwd: temporaryFolder(), env: { TERM: 'xterm' } });
      expect(stdout + stderr).not.toContain(ESCAPE);
      const forced = await storeport(args, { cwd: temporaryFolder(), env: { FORCE_COLOR: '1' } });
      expect(forced.stdout + forced.stderr).toContain(`${ESCAPE}[`);
    },
  );

  test('writes no colours with --json, even if they are forced', async () => {
    const { stdout, stderr } = await storeport([...IMPORT, '--json'], {
      cwd: temporaryFolder(),
      env: { FORCE_COLOR: '1' },
    });
    expect(stdout + stderr).not.toContain(ESCAPE);
    expect(JSON.parse(stdout).records).toBe(25);
  });

  test.runIf(process.platform === 'linux')('has colours on a terminal, and none with NO_COLOR', async () => {
    const cwd = temporaryFolder();
    expect((await onTerminal(['imprt'], [], { cwd })).stdout).toContain(`${RED}Error:`);
    expect((await onTerminal(['imprt'], [], { cwd, env: { NO_COLOR: '1' } })).stdout).not.toContain(ESCAPE);
    expect((await onTerminal(['imprt'], [], { cwd, env: { TERM: 'dumb' } })).stdout).not.toContain(ESCAPE);
  });
});
