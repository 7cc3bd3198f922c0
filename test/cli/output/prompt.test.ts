import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askSecret, askText } from '../../../src/cli/output/prompt.ts';

/** A substitute for a terminal: takes typed text, and collects shown text. */
function terminal(isTTY = true) {
  return {
    input: Object.assign(new PassThrough(), { isTTY }),
    output: Object.assign(new PassThrough(), { isTTY }),
  };
}

test('the prompt reads the client secret exactly and never shows it', async () => {
  const { input, output } = terminal();
  const answer = askSecret('Secret: ', input, output);
  input.write(' a&b+c%d#e=f "g" \r');
  expect(await answer).toBe(' a&b+c%d#e=f "g" ');
  expect(String(output.read())).toBe('Secret: \n');
});

test('Ctrl-C at the prompt is an interrupt, not an empty secret', async () => {
  const { input, output } = terminal();
  const answer = askSecret('Secret: ', input, output);
  const ended = expect(answer).rejects.toMatchObject({ reason: 'interrupted' });
  input.write('half\u0003');
  await ended;
  expect(String(output.read())).not.toContain('half');
});

test('no prompt is shown without a terminal', async () => {
  const { input, output } = terminal(false);
  expect(await askSecret('Secret: ', input, output)).toBeUndefined();
  expect(output.read()).toBeNull();
});

test('a question reads one line', async () => {
  const { input, output } = terminal();
  const answer = askText('Name: ', { input, output });
  input.write('lamps\r');
  expect(await answer).toBe('lamps');
});

test.each([
  ['Ctrl-C', '\u0003', { reason: 'interrupted' }],
  ['a signal', undefined, { reason: 'interrupted' }],
])('a question ends at %s', async (_what, typed, reason) => {
  const { input, output } = terminal();
  const signal = new AbortController();
  const answer = askText('Name: ', { input, output, interrupted: signal.signal });
  const ended = expect(answer).rejects.toMatchObject(reason);
  if (typed === undefined) signal.abort();
  else input.write(typed);
  await ended;
});

test('a question ends with the input', async () => {
  const { input, output } = terminal();
  const answer = askText('Name: ', { input, output });
  input.end();
  expect(await answer).toBeUndefined();
});
