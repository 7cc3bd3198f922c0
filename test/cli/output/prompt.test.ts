import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { questionsOn, type TerminalQuestions } from '../../../src/cli/output/prompt.ts';

/** A substitute for a terminal: takes typed text, and collects shown text. */
function terminal() {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  return { input, output, questions: questionsOn({ stdin: input, stderr: output }) as TerminalQuestions };
}

test('the prompt reads the client secret exactly and never shows it', async () => {
  const { input, output, questions } = terminal();
  const answer = questions.secret('Secret: ');
  input.write(' a&b+c%d#e=f "g" \r');
  expect(await answer).toBe(' a&b+c%d#e=f "g" ');
  expect(String(output.read())).toBe('Secret: \n');
});

test('Ctrl-C at the prompt is an interrupt, not an empty secret', async () => {
  const { input, output, questions } = terminal();
  const answer = questions.secret('Secret: ');
  const ended = expect(answer).rejects.toMatchObject({ reason: 'interrupted' });
  input.write('half\u0003');
  await ended;
  expect(String(output.read())).not.toContain('half');
});

test.each([
  ['input', { stdin: false, stderr: true }],
  ['output', { stdin: true, stderr: false }],
])('nothing can be asked if the %s is not a terminal', (_what, isTTY) => {
  const stream = (is: boolean) => Object.assign(new PassThrough(), { isTTY: is });
  expect(questionsOn({ stdin: stream(isTTY.stdin), stderr: stream(isTTY.stderr) })).toBeUndefined();
});

test('a question reads one line', async () => {
  const { input, questions } = terminal();
  const answer = questions.text('Name: ');
  input.write('lamps\r');
  expect(await answer).toBe('lamps');
});

test.each([
  ['Ctrl-C', '\u0003', { reason: 'interrupted' }],
  ['a signal', undefined, { reason: 'interrupted' }],
])('a question ends at %s', async (_what, typed, reason) => {
  const { input, questions } = terminal();
  const signal = new AbortController();
  const answer = questions.text('Name: ', signal.signal);
  const ended = expect(answer).rejects.toMatchObject(reason);
  if (typed === undefined) signal.abort();
  else input.write(typed);
  await ended;
});

test('a question ends with the input', async () => {
  const { input, questions } = terminal();
  const answer = questions.text('Name: ');
  input.end();
  expect(await answer).toBeUndefined();
});
