import { cutLongWords, visible } from '../../model/index.ts';
import type { Mask } from '../../store/index.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import type { CommandIo } from '../io.ts';
import { hasColour, type Painter, paintMessage } from './colour.ts';
import { questionsOn, type TerminalQuestions } from './prompt.ts';
import { cutToWidth, displayWidth } from './width.ts';

/**
 * The only output for text: results go to standard output, everything else to standard error. The mask hides secrets in
 * both.
 */
export interface Terminal {
  /** Results. `paint`: called for a terminal with colours, except with `--json`. */
  out(text: string, paint?: Painter): void;
  /** Messages; silent with `--quiet` and `--json`. */
  note(text: string): void;
  /** Messages that are shown even with `--quiet`. */
  error(text: string, paint?: Painter): void;
  /** True on a terminal, where `status` replaces its own last line; elsewhere it prints a new line. */
  readonly live: boolean;
  status(text: string): void;
  /** Hides these texts in all further output. */
  hide(...secrets: string[]): void;
  readonly mask: Mask;
  /** The width of standard output in columns; undefined if it is not a terminal. */
  outColumns(): number | undefined;
  /** Asks a person; undefined if there is no terminal to ask on. */
  readonly questions?: TerminalQuestions | undefined;
  /** Asks for a secret, on the terminal or by another way. Resolves with undefined if none is given. */
  readonly askSecret?: ((question: string) => Promise<string | undefined>) | undefined;
  /** Prints without the mask: the sandbox's credentials look like secrets and are meant to be seen. */
  publish(text: string): void;
}

export interface TerminalOptions {
  readonly quiet: boolean;
  readonly json: boolean;
  readonly progress: boolean;
  readonly mask: Mask;
  readonly io: Pick<CommandIo, 'stdin' | 'stdout' | 'stderr' | 'env'>;
  /** Ends the command line at once. */
  readonly exit: (code: number) => void;
}

const CLEAR_LINE = '\r\u001b[2K';

/** Width of terminals that do not report one. */
const USUAL_COLUMNS = 80;

export function createTerminal(options: TerminalOptions): Terminal {
  const { quiet, json, mask, io, exit } = options;
  const { stdout, stderr } = io;
  // Text from files and stores must not control the terminal or change its own appearance.
  const safe = (text: string) => visible(mask(text));
  // Colours are added last, so that text cannot bring its own.
  // Only text for people has a painter, and may be cut.
  const painted = (stream: { readonly isTTY?: boolean }, text: string, paint: Painter | undefined) => {
    if (!paint || json) return safe(text);
    const shown = safe(cutLongWords(text));
    return hasColour(stream, io.env) ? paint(shown) : shown;
  };
  const live = Boolean(stderr.isTTY) && options.progress && !quiet;
  /** Columns of the shown status line; 0 if there is none. */
  let statusWidth = 0;
  // Read each time, since windows are resized.
  const columns = () => stderr.columns || USUAL_COLUMNS;
  // A reader may close the pipe, as `| head` does, and then nobody needs the rest. Any other write error must change
  // the exit code, so that a script does not treat incomplete results as complete.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    const text = `Error: standard output cannot be written: ${error.message}.`;
    stderr.write(`${painted(stderr, text, paintMessage)}\n`);
    exit(EXIT_CODES.stopped.code);
  });
  // There is no other output for messages, and losing them must not stop the command.
  stderr.on('error', () => {});
  const clearStatus = () => {
    if (statusWidth === 0) return;
    // In a window that has become narrower, the line wraps over several rows.
    const above = Math.ceil(statusWidth / columns()) - 1;
    stderr.write(above > 0 ? `\r\u001b[${above}A\u001b[J` : CLEAR_LINE);
    statusWidth = 0;
  };
  const message = (text: string, paint: Painter = paintMessage) => {
    clearStatus();
    stderr.write(`${painted(stderr, text, paint)}\n`);
  };
  return {
    live,
    out(text, paint) {
      clearStatus();
      stdout.write(`${painted(stdout, text, paint)}\n`);
    },
    note(text) {
      // With --json, only errors are printed besides the JSON object.
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
      // Some terminals wrap when the last column is filled.
      const line = cutToWidth(safe(text).replaceAll(/[\n\t]/g, ' '), columns() - 1);
      stderr.write(line);
      statusWidth = displayWidth(line);
    },
    hide(...secrets) {
      for (const secret of secrets) mask.add(secret);
    },
    mask,
    // Looked up when it is needed, since the standard input of a process is opened by its first use.
    get questions() {
      return questionsOn(io);
    },
    askSecret: async (question) => questionsOn(io)?.secret(question),
    outColumns: () => (stdout.isTTY ? stdout.columns || USUAL_COLUMNS : undefined),
    publish(text) {
      stdout.write(`${text}\n`);
    },
  };
}
