import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeport, temporaryFolder } from '../../support/run.ts';

const TEXT = `firstname,lastname,email,password
Ann,Leigh,ann@example.com,tide-and-mill
Bo,,bo@example.com,tide-and-mill
Cy,Ford,cy@example.com,
`;

function folder(): string {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'c.csv'), TEXT);
  return cwd;
}

test('validate --show prints finished records beside their cells, without passwords', async () => {
  const { stdout, stderr } = await storeport(['validate', 'customers', 'c.csv', '--show', '2'], {
    cwd: folder(),
  });
  expect(stdout).toContain('ann@example.com, row 2');
  expect(stdout).toContain('  firstname: Ann\n');
  expect(stdout).toContain('    lastname: Leigh');
  expect(stdout).toMatch(/ {2}! row 3, lastname: .+ \(required\)/);
  expect(stdout).not.toContain('cy@example.com');
  expect(stdout + stderr).not.toContain('tide-and-mill');
});

test.each([['validate'], ['import', '--dry-run'], ['clean', '--out', 'out.csv']])(
  '%s --show --json has the records under shown',
  async (command, ...more) => {
    const { stdout } = await storeport([command, 'customers', 'c.csv', ...more, '--show', '2', '--json'], {
      cwd: folder(),
    });
    expect((JSON.parse(stdout) as { shown: unknown }).shown).toEqual([
      {
        file: 'c.csv',
        key: 'ann@example.com',
        source: [
          {
            row: 2,
            cells: { firstname: 'Ann', lastname: 'Leigh', email: 'ann@example.com', password: '***' },
          },
        ],
        payload: { firstname: 'Ann', lastname: 'Leigh', email: 'ann@example.com', password: '***' },
        issues: [],
      },
      expect.objectContaining({
        key: 'bo@example.com',
        issues: [expect.objectContaining({ row: 3, field: 'lastname', code: 'required' })],
      }),
    ]);
  },
);

test('an import that sends refuses --show', async () => {
  const { code, stderr } = await storeport(['import', 'customers', 'c.csv', '--sandbox', '--show', '1'], {
    cwd: folder(),
  });
  expect(code).toBe(2);
  expect(stderr).toContain(
    'The whole command: storeport import customers c.csv --sandbox --show 1 --dry-run\n',
  );
});
