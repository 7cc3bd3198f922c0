import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { RunStopped, visible } from '../../model/index.ts';

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean };
type Output = NodeJS.WritableStream & { readonly isTTY?: boolean };

export interface PromptOptions {
  readonly input?: Input;
  readonly output?: Output;
  /** Ends the question like Ctrl-C does, when the process gets a signal. */
  readonly interrupted?: AbortSignal;
}

/** Asks on the terminal without echoing the input; undefined if there is no terminal, or the input ends. */
export async function askSecret(
  question: string,
  input: Input = process.stdin,
  output: Output = process.stderr,
  interrupted?: AbortSignal,
): Promise<string | undefined> {
  if (!canAsk(input, output)) return undefined;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    // Asks once nothing is echoed: a secret may be typed or pasted at once.
    const onOpen = () => void output.write(visible(question));
    return await askLine('', { input, output: nowhere, interrupted, onOpen });
  } finally {
    output.write('\n');
  }
}

/**
 * Asks for one line on the terminal; undefined if the input ends. Requires `canAsk`. Throws RunStopped (`interrupted`)
 * for Ctrl-C.
 */
export async function askText(
  question: string,
  { input = process.stdin, output = process.stderr, interrupted }: PromptOptions = {},
): Promise<string | undefined> {
  const answer = await askLine(question, { input, output, interrupted }).catch((error) => {
    output.write('\n');
    throw error;
  });
  if (answer === undefined) output.write('\n');
  return answer;
}

interface LineOptions {
  readonly input: Input;
  readonly output: Output;
  readonly interrupted: AbortSignal | undefined;
  /** Called when the terminal no longer echoes by itself. */
  readonly onOpen?: () => void;
}

async function askLine(
  question: string,
  { input, output, interrupted, onOpen }: LineOptions,
): Promise<string | undefined> {
  const lines = createInterface({ input, output, terminal: true });
  onOpen?.();
  const stopped = () => new RunStopped('interrupted', 'Interrupted at a question.');
  let interrupt = () => {};
  try {
    return await new Promise((resolve, reject) => {
      interrupt = () => reject(stopped());
      interrupted?.addEventListener('abort', interrupt);
      if (interrupted?.aborted) interrupt();
      lines.once('SIGINT', interrupt);
      lines.once('close', () => resolve(undefined));
      lines.question(visible(question), resolve);
    });
  } finally {
    interrupted?.removeEventListener('abort', interrupt);
    lines.close();
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
