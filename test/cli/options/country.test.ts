import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { cliForEachTest } from '../../support/cli.ts';

const cli = cliForEachTest();
const { run, writeLines: write, reports } = cli;

const HEADER = 'firstname,lastname,email,phone,address.country.code,address.country.name';
const person = (phone: string, code = '', name = '') => `Ann,Lee,,${phone},${code},${name}`;

/** Imports customers; returns the outcomes of the run, and the keys and outcomes of its records. */
async function importing(out: string, rows: readonly string[], ...args: string[]) {
  write('people.csv', HEADER, ...rows);
  const ended = await run('import', 'customers', 'people.csv', '--out', out, ...args);
  const { results, summary } = reports(out);
  return {
    ...{ code: ended.code, stderr: ended.stderr, outcomes: summary.outcomes },
    records: results.map(({ key, outcome }) => `${key} ${outcome}`),
  };
}

const phones = () => (cli.sandbox.records('customers') as JsonObject[]).map(({ phone }) => phone);

test('spellings of one international number are one customer, in a file and in later files', async () => {
  const first = await importing('one', [person('+1 (415) 555-1234'), person('0014155551234')]);
  expect(first.records).toEqual(['+1 (415) 555-1234 created', '0014155551234 duplicate']);
  const second = await importing('two', [person('(+1) 415.555.1234')]);
  expect(second.outcomes).toEqual({ unchanged: 1 });
  expect(phones()).toEqual(['+1 (415) 555-1234']);
});

test('a national number without a country is compared as it is', async () => {
  const { records } = await importing('one', [
    person('030 123456'),
    person('+49 30 123456'),
    person('(030) 123456'),
  ]);
  expect(records).toEqual(['030 123456 created', '+49 30 123456 created', '(030) 123456 created']);
});

test('--country reads national numbers in that country, and sends them as the file has them', async () => {
  const { records } = await importing(
    'one',
    [person('030 123456'), person('+49 30 123456'), person('(030) 12-34-56')],
    ...['--country', 'de'],
  );
  expect(records).toEqual(['+4930123456 created', '+49 30 123456 duplicate', '+4930123456 duplicate']);
  expect(phones()).toEqual(['030 123456']);
});

test("the country of a record's address decides before --country", async () => {
  const { records } = await importing(
    'one',
    [
      person('0664 1234567', 'AT'),
      person('0664 1234567', '', 'Österreich'),
      person('0664 1234567'),
      person('0664 1234567', '', 'Atlantis'),
    ],
    ...['--country', 'DE'],
  );
  expect(records).toEqual([
    '+436641234567 created',
    '+436641234567 duplicate',
    '+496641234567 created',
    // It names a country that is not known, so the number may be one of any country.
    '0664 1234567 created',
  ]);
});

test('customers of an import without a country are found by one that names it', async () => {
  await importing('one', [person('030 123456')]);
  expect((await importing('two', [person('030 123456')], '--country', 'DE')).outcomes).toEqual({
    unchanged: 1,
  });
  expect(phones()).toHaveLength(1);
});

test('customers of an import with --country are found by one that forgets it', async () => {
  await importing('one', [person('030 123456')], '--country', 'DE');
  expect((await importing('two', [person('(030) 123456')])).outcomes).toEqual({ unchanged: 1 });
  expect(phones()).toHaveLength(1);
});

test('clean and validate compare as import does', async () => {
  write('people.csv', HEADER, person('030 123456'), person('0049 30 123456'));
  await run('validate', 'customers', 'people.csv', '--country', 'DE', '--out', 'checked');
  expect(reports('checked').summary.outcomes).toEqual({ planned: 1, duplicate: 1 });
  const cleaned = await run(
    'clean',
    'customers',
    'people.csv',
    '--country',
    'DE',
    '--out',
    'clean.csv',
    '--json',
  );
  expect(JSON.parse(cleaned.stdout).outcomes).toEqual({ planned: 1, duplicate: 1 });
});

test('the configuration file and a profile name a country, and the option counts before both', async () => {
  write('storeport.config.yaml', 'country: de', 'profiles:', '  wien: { country: AT }');
  const keys = async (out: string, ...args: string[]) => {
    write('people.csv', HEADER, person('0664 1234567'));
    await run('validate', 'customers', 'people.csv', '--out', out, ...args);
    return reports(out).results.map(({ key }) => key);
  };
  expect(await keys('file')).toEqual(['+496641234567']);
  expect(await keys('profile', '--profile', 'wien')).toEqual(['+436641234567']);
  expect(await keys('option', '--profile', 'wien', '--country', 'GB')).toEqual(['+446641234567']);
});

test('a country that is none is refused with those that there are', async () => {
  write('people.csv', HEADER, person('030 123456'));
  const refused = await run('import', 'customers', 'people.csv', '--country', 'UK');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(
    /--country takes the code of a country by ISO 3166-1.* FR, .* GB, .*; found "UK"/,
  );
});

test('a retry reads the numbers in the country of its run', async () => {
  write('people.csv', HEADER, person('030 123456'), person('+49 30 123456', '', ''), 'Bob,,,030 654321,,');
  await run('import', 'customers', 'people.csv', '--country', 'DE', '--out', 'one');
  expect(reports('one').results.map(({ key, outcome }) => `${key} ${outcome}`)).toEqual([
    '+4930123456 created',
    '+49 30 123456 duplicate',
    '+4930654321 invalid',
  ]);
  const { run: id } = reports('one').summary;
  cli.editRows('one/errors.csv', (row) => ({ ...row, lastname: 'Ray' }));
  const again = await run('import', 'customers', 'one/errors.csv', '--out', 'two', '--country', 'DE');
  expect(again.code).toBe(0);
  expect(await cli.outcomesOf(String(id))).toEqual({ created: 2, duplicate: 1 });
});

test('run adopt compares phone numbers as an import does', async () => {
  write(
    'ids.csv',
    'phone,_id,address.country.code',
    '+1 (415) 555-1234,a1,',
    '0014155551234,a2,',
    '030 123456,a3,',
    '0664 1234567,a4,AT',
  );
  await run('run', 'adopt', 'customers', 'ids.csv', '--country', 'DE', '--out', 'adopted');
  expect(reports('adopted').results.map(({ key, outcome }) => `${key} ${outcome}`)).toEqual([
    '+1 (415) 555-1234 unchanged',
    '0014155551234 duplicate',
    '+4930123456 unchanged',
    '+436641234567 unchanged',
  ]);
  const { outcomes } = await importing('one', [
    person('+1 415 555 1234'),
    person('+49 30 123456'),
    person('+43 664 1234567'),
  ]);
  expect(outcomes).toEqual({ unchanged: 3 });
  expect(phones()).toEqual([]);
});

test('a rehearsal gives the spellings of one number one made-up number', async () => {
  const { outcomes } = await importing(
    'one',
    [person('030 123456'), person('+49 (0)30 123456')],
    ...['--country', 'DE', '--mask-contacts'],
  );
  expect(outcomes).toEqual({ created: 1, duplicate: 1 });
});
