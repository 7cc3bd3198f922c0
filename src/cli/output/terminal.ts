import { visible } from '../../model/index.ts';
import type { Mask } from '../../store/index.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { cutToWidth, displayWidth } from './width.ts';

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
  readonly stderr?: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

const CLEAR_LINE = '\r\u001b[2K';

/** Of terminals that do not say how wide they are. */
const USUAL_COLUMNS = 80;

export function createTerminal(options: TerminalOptions): Terminal {
  const { quiet, json, mask, stdout = process.stdout, stderr = process.stderr } = options;
  // Text from files and stores must not steer the terminal, or read otherwise than it is.
  const safe = (text: string) => visible(mask(text));
  const live = Boolean(stderr.isTTY) && options.progress && !quiet;
  /** Columns of the line that is shown; 0 where none is. */
  let statusWidth = 0;
  // Asked each time, since windows are resized.
  const columns = () => stderr.columns || USUAL_COLUMNS;
  // Whoever reads along may leave, as after `| head`: then there is nobody to tell. Results that cannot be
  // written are another matter: a script must not take the exit code for theirs.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    stderr.write(`${safe(`Error: standard output cannot be written: ${error.message}.`)}\n`);
    process.exit(EXIT_CODES.stopped.code);
  });
  // Messages have no other place to go, and losing them must not end the work that they are about.
  stderr.on('error', () => {});
  const clearStatus = () => {
    if (statusWidth === 0) return;
    // In a window that has become narrower the line goes over several rows now.
    const above = Math.ceil(statusWidth / columns()) - 1;
    stderr.write(above > 0 ? `\r\u001b[${above}A\u001b[J` : CLEAR_LINE);
    statusWidth = 0;
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
        if (text !== '') stderr.write(`${safe(text)}\n`);
        return;
      }
      clearStatus();
      if (text === '') return;
      // In the last column some terminals go to the next row.
      const line = cutToWidth(safe(text).replaceAll(/[\n\t]/g, ' '), columns() - 1);
      stderr.write(line);
      statusWidth = displayWidth(line);
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
