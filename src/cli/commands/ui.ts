import { missingFile } from '../../model/index.ts';
import { wholeNumber } from '../../options/index.ts';
import { createCommandPort } from '../command-port.ts';
import { type CommandContext, whenInterrupted } from '../context.ts';
import type { Command } from './command.ts';

interface UiArguments {
  readonly file?: string | undefined;
  readonly port: number;
  readonly folder: string;
}

const MOST_PORT = 65_535;

export const uiCommand: Command<UiArguments> = {
  usage: 'ui [file]',
  summary: 'Serve a page for your browser: read files, match columns, import, correct rows, export',
  positionals: { file: { describe: 'File to open at once', completes: 'file' } },
  options: {
    port: {
      topic: 'serving',
      type: 'number',
      syntax: wholeNumber(0, MOST_PORT),
      default: 0,
      describe: 'Port on 127.0.0.1; 0 is any free one',
    },
    folder: {
      topic: 'serving',
      default: '.',
      describe: 'Folder below which the page opens and writes files',
      completes: 'folder',
    },
  },
  examples: [
    ['$0 ui', 'Prints the address of the page'],
    ['$0 ui products.csv', 'The same, with a file to begin with'],
  ],
  async run({ file, port, folder, home }, context) {
    const { startUi } = await import('../../ui/index.ts');
    const { existsSync } = await import('../../model/files/fs.ts');
    for (const [what, path] of Object.entries({ folder, file }))
      if (path !== undefined && !existsSync(path)) throw missingFile(path, what);
    const interrupted = context.onInterrupt();
    const server = await startUi({
      ...{ home, folder, file, port },
      commands: createCommandPort(context, home),
      onBug: (text) => context.terminal.error(`This is a bug in storeport: ${text}`),
    });
    showLink(server.link, context);
    await new Promise<void>((resolve) => whenInterrupted(interrupted, resolve));
    context.terminal.note('Stopping. A job in progress ends first; press Ctrl-C again to leave at once.');
    await server.close();
    return 0;
  },
};

/** Prints the address. The mask would hide its key, which is meant to be copied. */
function showLink(link: string, { terminal, json }: CommandContext): void {
  if (json) terminal.publish(JSON.stringify({ url: link }));
  else
    terminal.publish(
      [
        'Open this address in your browser. Its key is for you alone:',
        '',
        `  ${link}`,
        '',
        'Files and secrets stay on this machine. Press Ctrl-C to stop.',
      ].join('\n'),
    );
}
