import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cliForEachTest } from '../../support/cli.ts';
import { booksOf, type Ended, sample, storeport } from '../../support/run.ts';

const cli = cliForEachTest();

const { run } = cli;
const write = (file: string, text: string) => writeFileSync(join(cli.cwd, file), text);
const { reports } = cli;
const { products } = cli;
const { sends } = cli;

const FILE = 'name,reference,description\nTea,T,Green\nMug,M,Blue\n';

async function importing(out: string, ...more: string[]): Promise<Ended> {
  write('in.csv', FILE);
  return run('import', 'products', 'in.csv', '--out', out, ...more);
}

describe('run adopt', () => {
  /** Creates two products that this ledger does not know. */
  async function elsewhere(): Promise<string[]> {
    await importing('elsewhere', '--home', 'other');
    return products().map(({ _id }) => String(_id));
  }

  test('an import after run adopt updates the adopted records and creates nothing', async () => {
    const [tea, mug] = await elsewhere();
    write('ids.csv', `reference,_id\nT,${tea}\n M ,${mug}\n`);
    const adopted = await run('run', 'adopt', 'products', 'ids.csv', '--out', 'adopted', '--json');
    expect(adopted.code).toBe(0);
    expect(JSON.parse(adopted.stdout)).toMatchObject({ command: 'adopt', outcomes: { unchanged: 2 } });
    expect(booksOf(reports('adopted')).balanced).toBe(true);
    const before = sends().length;
    expect((await importing('out')).code).toBe(0);
    expect(reports('out').summary.outcomes).toEqual({ updated: 2 });
    expect(
      sends()
        .slice(before)
        .map(({ kind }) => kind),
    ).toEqual(['update', 'update']);
    expect(products()).toHaveLength(2);
    // Now the fields are known too.
    await importing('again');
    expect(reports('again').summary.outcomes).toEqual({ unchanged: 2 });
  });

  test('run adopt accepts results.csv of another ledger unchanged', async () => {
    write('in.csv', `${FILE}Odd,''=K,Red\n`);
    await run('import', 'products', 'in.csv', '--out', 'elsewhere', '--home', 'other');
    // The key '=K, defused as in an export.
    expect(reports('elsewhere').results[2]?.key).toBe("''=K");
    expect((await run('run', 'adopt', 'products', 'elsewhere/results.csv', '--out', 'adopted')).code).toBe(0);
    await run('import', 'products', 'in.csv', '--out', 'out');
    expect(reports('out').summary.outcomes).toEqual({ updated: 3 });
  });

  test('run adopt reports the error of each invalid pair and adopts the others', async () => {
    write('ids.csv', "reference,_id\nT,1\n,2\nM,\nT,3\nP,1\nshort\n=K,8\n'=K,9\nB,1 2\n");
    const { code, stdout } = await run('run', 'adopt', 'products', 'ids.csv', '--out', 'adopted');
    expect([code, stdout]).toEqual([1, expect.stringContaining('then adopt that file')]);
    const undone = await run('run', 'undo', '--yes');
    expect([undone.code, undone.stderr]).toEqual([2, expect.stringContaining('was not an import')]);
    expect(reports('adopted').results.map(({ row, outcome, code: why }) => [row, outcome, why])).toEqual([
      ['2', 'unchanged', ''],
      ['3', 'invalid', 'required'],
      ['4', 'invalid', 'required'],
      ['5', 'duplicate', 'duplicate-key'],
      ['6', 'invalid', 'duplicate-id'],
      ['7', 'invalid', 'ragged-row'],
      ['8', 'unchanged', ''],
      ['9', 'duplicate', 'duplicate-key'],
      ['10', 'invalid', 'not-an-id'],
    ]);
    expect(booksOf(reports('adopted')).balanced).toBe(true);
  });

  test('an adopted identifier overrides the one known before', async () => {
    await importing('first');
    write('ids.csv', 'reference,_id\nT,new-id\n');
    await run('run', 'adopt', 'products', 'ids.csv', '--out', 'adopted');
    expect(reports('adopted').results[0]?.message).toContain('it was known as');
    write('in.csv', FILE.replace('Green', 'Black'));
    await run('import', 'products', 'in.csv', '--out', 'second');
    // The store has no such product and refuses the update.
    expect(reports('second').results[0]).toMatchObject({ key: 'T', outcome: 'rejected', id: 'new-id' });
  });

  test('run adopt contacts no store and needs no secret', async () => {
    write('ids.csv', 'reference,_id\nT,1\n');
    const env = { STOREPORT_BASE_URL: 'http://127.0.0.1:9' };
    const ended = await storeport(['run', 'adopt', 'products', 'ids.csv'], { cwd: cli.cwd, env });
    expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('Error')]);
  });

  test('run adopt refuses a file without a key and an identifier column', async () => {
    write('ids.csv', 'sku,number\nT,1\n');
    const { code, stderr } = await run('run', 'adopt', 'products', 'ids.csv');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Missing: "_id" or "id"')]);
  });
});

describe('run undo', () => {
  test('run undo lists the products that the run created and puts them into the trash', async () => {
    await importing('out');
    const ended = await run('run', 'undo', '--yes', '--out', 'undone');
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('created 2 products:\n  row 2, T: ');
    expect(ended.stdout).toContain('Undid products: 2 records');
    expect(products().map(({ status }) => status)).toEqual(['TRASH', 'TRASH']);
    expect(reports('undone').summary).toMatchObject({ command: 'undo', outcomes: { updated: 2 } });
    expect(reports('out').summary.outcomes).toEqual({ created: 2 });
    // Undone records are not restored by accident.
    const again = await importing('again');
    expect(again.code).toBe(1);
    expect(reports('again').results.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['unsent', 'taken-back'],
      ['unsent', 'taken-back'],
    ]);
    await importing('back', '--set', 'status=PUBLISH');
    expect(products().map(({ status }) => status)).toEqual(['PUBLISH', 'PUBLISH']);
    expect(products()).toHaveLength(2);
  });

  test('an import after run undo without a status changes nothing in the trash and names the records', async () => {
    await importing('out');
    await run('run', 'undo', '--yes', '--out', 'undone');
    const before = sends().length;
    write('corrected.csv', FILE.replace('Green', 'Black').replace('Blue', 'White'));
    const { code, stdout } = await run('import', 'products', 'corrected.csv', '--out', 'corrected');
    expect(code).toBe(1);
    expect(sends()).toHaveLength(before);
    expect(reports('corrected').summary.outcomes).toEqual({ unsent: 2 });
    expect(reports('corrected').results.map(({ key, code: why, message }) => [key, why, message])).toEqual([
      ['T', 'taken-back', expect.stringContaining(`the run ${reports('undone').summary.run} put it into`)],
      ['M', 'taken-back', expect.stringContaining('--set status=PUBLISH')],
    ]);
    expect(stdout).toContain('2 records are in the trash since an undo');
    expect(stdout).not.toContain('Not possible');
    // Sending them again would not help. The rows of errors.csv are restored with the status that they contain.
    expect((await run('run', 'retry')).stderr).toContain('has no record to send again');
    const back = await run('import', 'products', 'corrected/errors.csv', '--set', 'status=DRAFT');
    expect(back.code).toBe(0);
    expect(products().map(({ status, description }) => [status, description])).toEqual([
      ['DRAFT', 'Black'],
      ['DRAFT', 'White'],
    ]);
    expect((await run('run', 'show', reports('corrected').summary.run, '--json')).stdout).toContain(
      '"outcomes":{"updated":2}',
    );
  });

  test('an import after run undo with a status restores all records once', async () => {
    write('with-status.csv', 'name,reference,status\nTea,T,PUBLISH\nMug,M,DRAFT\n');
    const importingAgain = () => run('import', 'products', 'with-status.csv', '--out', 'again');
    await importingAgain();
    await run('run', 'undo', '--yes');
    expect((await importingAgain()).code).toBe(0);
    expect(reports('again').summary.outcomes).toEqual({ updated: 2 });
    expect(products().map(({ status }) => status)).toEqual(['PUBLISH', 'DRAFT']);
    await importingAgain();
    expect(reports('again').summary.outcomes).toEqual({ unchanged: 2 });
    // Now an update without a status is valid.
    expect((await importing('without')).code).toBe(0);
    expect(reports('without').summary.outcomes).toEqual({ updated: 2 });
  });

  test('rows with only the identifier of a trashed record are not sent after run undo', async () => {
    await importing('out');
    await run('run', 'undo', '--yes');
    const [tea, mug] = products().map(({ _id }) => String(_id));
    write('ids.csv', `_id,description,status\n${tea},Black,\n${mug},White,PUBLISH\n`);
    await run('import', 'products', 'ids.csv', '--out', 'ids');
    expect(reports('ids').summary.outcomes).toEqual({ updated: 1, unsent: 1 });
    expect(products().map(({ status }) => status)).toEqual(['TRASH', 'PUBLISH']);
    // A restored record can be undone again, although its keys are recorded as in the trash.
    await run('run', 'undo', reports('out').summary.run, '--yes', '--out', 'undone');
    expect(reports('undone').summary.outcomes).toEqual({ updated: 1, unchanged: 1 });
    expect(products().map(({ status }) => status)).toEqual(['TRASH', 'TRASH']);
  });

  test('--mode create reports after run undo that the record is in the trash', async () => {
    await importing('out');
    await run('run', 'undo', '--yes');
    await importing('again', '--mode', 'create');
    expect(reports('again').results[0]).toMatchObject({
      outcome: 'duplicate',
      code: 'known-key',
      message: expect.stringContaining('in the trash since the run'),
    });
  });

  test('run undo of an undone run sends nothing', async () => {
    await importing('out');
    const { run: id } = reports('out').summary;
    await run('run', 'undo', id, '--yes');
    const before = sends().length;
    expect((await run('run', 'undo', id, '--yes')).code).toBe(0);
    expect(sends()).toHaveLength(before);
  });

  test('a partly refused run undo names the command that completes it', async () => {
    await importing('out');
    const { run: id } = reports('out').summary;
    cli.sandbox.misbehave({ redirect: '#1@update' });
    const { code, stdout } = await run('run', 'undo', '--yes', '--out', 'undone');
    expect(code).toBe(1);
    expect(reports('undone').summary.outcomes).toEqual({ updated: 1, rejected: 1 });
    expect(stdout).toContain(`To put the rest into the trash: storeport run undo ${id}\n`);
    cli.sandbox.misbehave({});
    const again = await run('run', 'undo', id, '--yes', '--out', 'again');
    expect(again.code).toBe(0);
    expect(again.stdout).not.toContain('To put the rest');
    expect(products().map(({ status }) => status)).toEqual(['TRASH', 'TRASH']);
  });

  test('run undo changes nothing without a terminal to confirm on', async () => {
    await importing('out');
    const { code, stderr } = await run('run', 'undo');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Add --yes')]);
    expect(products().map(({ status }) => status)).not.toContain('TRASH');
  });

  test('run undo leaves the records that the run only updated', async () => {
    await importing('out');
    write('in.csv', `${FILE.replace('Green', 'Black')}Pot,P,Red\n`);
    await run('import', 'products', 'in.csv', '--out', 'second');
    expect(reports('second').summary.outcomes).toEqual({ created: 1, updated: 1, unchanged: 1 });
    await run('run', 'undo', '--yes');
    expect(
      products()
        .filter(({ status }) => status === 'TRASH')
        .map(({ reference }) => reference),
    ).toEqual(['P']);
  });

  test('run undo reports when there is nothing to undo and when the API cannot undo', async () => {
    await importing('out');
    await importing('again');
    const nothing = await run('run', 'undo', '--yes');
    expect([nothing.code, nothing.stderr]).toEqual([0, expect.stringContaining('nothing to undo')]);
    await run('import', 'customers', sample('native-customers.csv'), '--out', 'people');
    expect(reports('people').summary.outcomes.created).toBeGreaterThan(0);
    const { code, stderr } = await run('run', 'undo', '--yes');
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be undone')]);
  });
});
