import type { Mask } from '../store/index.ts';
import { EXIT_CODES } from './exit-codes.ts';

/**
 * The one way out for text: results to standard output, everything else to standard error, all of it through the
 * mask that keeps secrets in.
 */
export interface Terminal {
  /** Results. */
  out(text: string): void;
  /** Messages; silent with `--quiet`. */
  note(text: string): void;
  /** What must be seen also with `--quiet`. */
  error(text: string): void;
  /** Replaces the last line on a terminal, by turns; elsewhere a line of its own. */
  readonly live: boolean;
  status(text: string): void;
  /** From now on these texts are hidden wherever they would appear. */
  hide(...secrets: string[]): void;
  readonly mask: Mask;
  /** For what looks like a secret and is meant to be seen: the sandbox's own credentials. */
  publish(text: string): void;
}

export interface TerminalOptions {
  readonly quiet: boolean;
  readonly json: boolean;
  readonly progress: boolean;
  readonly mask: Mask;
  readonly stdout?: NodeJS.WritableStream;
  readonly stderr?: NodeJS.WritableStream & { isTTY?: boolean };
}

/** Control characters but for line breaks and tabs. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

const CLEAR_LINE = '\r\u001b[2K';

export function createTerminal(options: TerminalOptions): Terminal {
  const { quiet, json, mask, stdout = process.stdout, stderr = process.stderr } = options;
  // Text from files and stores must not steer the terminal: what would is shown as a mark.
  const safe = (text: string) => mask(text).replace(CONTROL, '\ufffd');
  const live = Boolean(stderr.isTTY) && options.progress && !quiet;
  let statusShown = false;
  // Whoever reads along may leave, as after `| head`: then there is nobody to tell. Results that cannot be
  // written are another matter: a script must not take the exit code for theirs.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    stderr.write(`Error: standard output cannot be written: ${error.message}.\n`);
    process.exit(EXIT_CODES.stopped.code);
  });
  // Messages have no other place to go, and losing them must not end the work that they are about.
  stderr.on('error', () => {});
  const clearStatus = () => {
    if (statusShown) stderr.write(CLEAR_LINE);
    statusShown = false;
  };
  const message = (text: string) => {
    clearStatus();
    stderr.write(`${safe(text)}\n`);
  };
  return {
    live,
    out(text) {
      clearStatus();
      stdout.write(`${safe(text)}\n`);
    },
    note(text) {
      // With --json standard output is for one object; people who read along still get their messages.
      if (!quiet && !json) message(text);
    },
    error: message,
    status(text) {
      if (quiet || !options.progress) return;
      if (!live) {
        stderr.write(`${safe(text)}\n`);
        return;
      }
      clearStatus();
      if (text === '') return;
      stderr.write(safe(text));
      statusShown = true;
    },
    hide(...secrets) {
      for (const secret of secrets) mask.add(secret);
    },
    mask,
    publish(text) {
      stdout.write(`${text}\n`);
    },
  };
}
