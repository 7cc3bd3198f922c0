import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { exitCodeOf } from '../../src/cli/exit-codes.ts';
import type { ApiRoute, RawAnswer } from '../../src/http/index.ts';
import { shellWord } from '../../src/model/index.ts';
import { RESOURCES } from '../../src/resources/index.ts';
import type { CommandPort } from '../../src/ui/command-port.ts';
import type { UiContext } from '../../src/ui/context.ts';
import { confinedTo, ownFoldersIn } from '../../src/ui/folders.ts';

/** The context of a server for the folder, with the ledger in `.storeport`. */
export function uiContextIn(folder: string, commands: Partial<CommandPort> = {}): UiContext {
  const home = join(realpathSync(folder), '.storeport');
  return {
    ...confinedTo(folder, [], realpathSync(folder)),
    home,
    ownFolder: ownFoldersIn(home),
    commands: {
      run: async () => ({ exitCode: 0 }),
      stores: async () => [],
      storeWords: async () => [],
      resources: async () => RESOURCES,
      commandLine: (words) => ['storeport', ...words].map(shellWord).join(' '),
      meaningOf: String,
      exitCodeOf,
      mask: (text) => text,
      version: '0.0.0',
      ...commands,
    },
  };
}

/** Calls routes as the server does, without HTTP. `address`: such as `GET /runs/r1/rows?from=0`. */
export function callerOf(routes: readonly ApiRoute[]) {
  return async (address: string, body?: unknown): Promise<unknown> => {
    const [method = '', rest = ''] = address.split(' ');
    const [path = '', query = ''] = rest.split('?');
    const words = path.split('/');
    for (const route of routes) {
      const names = route.path.split('/');
      const fits =
        names.length === words.length &&
        names.every((name, at) => name.startsWith(':') || name === words[at]);
      if (!fits || route.method !== method) continue;
      const params = Object.fromEntries(
        names.flatMap((name, at) =>
          name.startsWith(':') ? [[name.slice(1), decodeURIComponent(words[at] ?? '')]] : [],
        ),
      );
      return route.run({
        params,
        query: new URLSearchParams(query),
        body,
        left: new AbortController().signal,
        incoming: undefined as never,
      });
    }
    throw new Error(`There is no route for ${address}.`);
  };
}

/** The whole text of a file that a route streams. */
export function textOf({ body }: RawAnswer): Promise<string> {
  return text(typeof body === 'string' ? Readable.from([body]) : Readable.from(body));
}
