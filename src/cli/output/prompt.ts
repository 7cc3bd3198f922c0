import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { RunStopped, visible } from '../../model/index.ts';
import type { CommandIo, Input } from '../io.ts';

/** TerminalQuestions to a person on a terminal. */
export interface TerminalQuestions {
  /** Resolves with false if the input ends. */
  yesNo(question: string): Promise<boolean>;
  /**
   * Asks for one line. Resolves with undefined if the input ends. Throws RunStopped (`interrupted`) for Ctrl-C.
   * `interrupted`: ends the question as Ctrl-C does, when the process gets a signal.
   */
  text(question: string, interrupted?: AbortSignal): Promise<string | undefined>;
  /** As `text`, without echoing the input. */
  secret(question: string, interrupted?: AbortSignal): Promise<string | undefined>;
}

/** Asks on these streams. Returns undefined unless both are terminals. */
export function questionsOn({
  stdin: input,
  stderr: output,
}: Pick<CommandIo, 'stdin' | 'stderr'>): TerminalQuestions | undefined {
  if (!output.isTTY || !input.isTTY) return undefined;
  return {
    yesNo: (question) => askYesNo(question, input, output),
    async text(question, interrupted) {
      const answer = await askLine(question, { input, output, interrupted }).catch((error) => {
        output.write('\n');
        throw error;
      });
      if (answer === undefined) output.write('\n');
      return answer;
    },
    async secret(question, interrupted) {
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
      try {
        // Asks once nothing is echoed: a secret may be typed or pasted at once.
        const onOpen = () => void output.write(visible(question));
        return await askLine('', { input, output: nowhere, interrupted, onOpen });
      } finally {
        output.write('\n');
      }
    },
  };
}

interface LineOptions {
  readonly input: Input;
  readonly output: NodeJS.WritableStream;
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

async function askYesNo(question: string, input: Input, output: NodeJS.WritableStream): Promise<boolean> {
  const lines = createInterface({ input, output, terminal: true });
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
