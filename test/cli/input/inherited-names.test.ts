import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';

/** Names that every object of JavaScript has: as names in a file they are data like others. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

const cli = cliForEachTest();

describe('names that objects inherit', () => {
  test('may be fields of JSON objects, from any record on', async () => {
    const record = (n: number, more: object = {}) => ({ reference: `A-${n}`, name: `Mug ${n}`, ...more });
    const odd = Object.fromEntries(INHERITED.map((name) => [name, { [name]: 'x' }]));
    writeFileSync(join(cli.cwd, 'in.json'), JSON.stringify([record(1), record(2, odd), record(3)]));
    for (const command of [['validate'], ['import', '--dry-run'], ['import', '--sandbox', '--yes']]) {
      const [name = '', ...options] = command;
      const { code, stderr } = await cli.run(name, 'products', 'in.json', ...options);
      expect({ command, code, stderr }).toMatchObject({ code: 0 });
      if (name === 'validate') expect(stderr).toContain('"constructor"');
    }
  });

  test('may be columns of a table, in all commands', async () => {
    const columns = ['reference', 'name', ...INHERITED];
    cli.writeLines('in.csv', columns.join(), `A-1,Mug,${INHERITED.map((name) => `${name} of A`).join()}`);
    for (const args of [
      ['validate', 'products', 'in.csv'],
      ['clean', 'products', 'in.csv', '--out', 'c.csv'],
      ['mapping', 'suggest', 'products', 'in.csv', '--out', 'm.yaml'],
      ['import', 'products', 'in.csv', '--sandbox', '--yes'],
    ]) {
      const { code, stderr } = await cli.run(...args);
      expect({ args, code, stderr }).toMatchObject({ code: 0 });
    }
  });

  test.each(['--encoding', '--format', '--mapping', '--profile'])('are no values of %s', async (option) => {
    cli.writeLines('in.csv', 'reference,name', 'A-1,Mug');
    const { code, stderr } = await cli.run('validate', 'products', 'in.csv', option, 'constructor');
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('constructor') });
  });
});
