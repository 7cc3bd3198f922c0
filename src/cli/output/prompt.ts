import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { RunStopped, visible } from '../../model/index.ts';

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean };
type Output = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** Asks on the terminal without echoing the input; undefined if there is no terminal, or the input ends. */
export async function askSecret(
  question: string,
  input: Input = process.stdin,
  output: Output = process.stderr,
): Promise<string | undefined> {
  if (!canAsk(input, output)) return undefined;
  output.write(visible(question));
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true });
  try {
    return await new Promise((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('SIGINT', () => reject(new RunStopped('interrupted', 'No client secret was given.')));
      lines.once('close', () => resolve(undefined));
    });
  } finally {
    lines.close();
    output.write('\n');
  }
}

/** Asks yes or no on the terminal. Requires `canAsk`. */
export async function askYesNo(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.question(`${visible(question)} [y/N] `, resolve);
      lines.once('close', () => resolve(''));
    });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

export function canAsk(input: Input = process.stdin, output: Output = process.stderr): boolean {
  return Boolean(input.isTTY && output.isTTY);
}
