import { describe, expect, test } from 'vitest';
import { FAULTS, FaultError, type GivenFaults, readFaults } from '../../../src/sandbox/misbehave/faults.ts';

function problemsOf(given: GivenFaults): readonly string[] {
  try {
    readFaults(given);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(FaultError);
    return (error as FaultError).problems;
  }
}

describe('the table of faults', () => {
  test.each(Object.entries(FAULTS))('%s: its example can be parsed', (name, { example }) => {
    expect(Object.keys(readFaults({ [name]: example }))).toEqual([name]);
  });

  test('all mistakes are reported at once, with the expected and the found text', () => {
    expect(problemsOf({ ratee: 5, rate: 'fast', window: '100', 'late-reset': '5', outage: 'reset' })).toEqual(
      [
        expect.stringMatching(/^There is no fault "ratee"\. Did you mean rate\? There are seed, rate, /),
        'The fault rate takes a number above 0; found "fast".',
        'The fault window takes a number and a length, such as 100/60s; found "100".',
        expect.stringMatching(/^The fault late-reset takes a share such as 2%.*found "5"\.$/),
        expect.stringMatching(/^The fault outage takes refuse, reset, hang, 503 with a duration/),
      ],
    );
  });

  test.each([
    ['late-rest', 'late-reset'],
    ['error-530', 'error-500'],
    ['page_limit', 'page-limit'],
    ['Rate', 'rate'],
    ['envelop', 'envelope'],
  ])('%s is reported with the suggestion %s', (name, meant) => {
    expect(problemsOf({ [name]: 1 })[0]).toContain(`Did you mean ${meant}?`);
  });

  test('a name unlike all others is reported with the list, without a suggestion', () => {
    const [problem] = problemsOf({ brightness: 1 });
    expect(problem).toMatch(/^There is no fault "brightness"\. There are /);
    for (const name of Object.keys(FAULTS)) expect(problem).toContain(name);
  });

  test.each(['__proto__', 'constructor', 'toString'])('%s is not a fault', (name) => {
    expect(problemsOf(JSON.parse(`{"${name}": 1}`))).toHaveLength(1);
  });

  test('a number is accepted like its text', () => {
    expect(readFaults({ rate: 20 })).toEqual(readFaults({ rate: '20' }));
  });
});
