import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { StoreFacts } from './oracle.ts';

/** The same path from here and from node_modules/.faults. */
export const binary = fileURLToPath(new URL('../../dist/storeport.js', import.meta.url));

/** A sandbox in a process of its own, like a real store. */
export interface Store {
  readonly environment: Readonly<Record<string, string>>;
  facts(): Promise<StoreFacts>;
  /** Replaces the faults; an empty object removes them. */
  misbehave(faults: Readonly<Record<string, string>>): Promise<void>;
  stop(): void;
}

/** `faults`: such as `latency=2ms`. `more`: further options of the sandbox. */
export async function startStore(
  faults: readonly string[] = [],
  more: readonly string[] = [],
): Promise<Store> {
  const options = [...more, ...faults.flatMap((fault) => ['--fault', fault])];
  const child = spawn(
    process.execPath,
    [binary, 'sandbox', '--port', '0', '--json', '--control', ...options],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const { url, clientId, clientSecret } = JSON.parse(await firstLine(child)) as Record<string, string>;
  const linesAt = async <Line>(path: string): Promise<Line[]> => {
    const text = await (await fetch(`${url}/sandbox/${path}`)).text();
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
  };
  return {
    environment: {
      STOREPORT_BASE_URL: url ?? '',
      STOREPORT_CLIENT_ID: clientId ?? '',
      STOREPORT_CLIENT_SECRET: clientSecret ?? '',
    },
    async facts() {
      const journal = await linesAt<StoreFacts['journal'][number]>('journal');
      const records = await linesAt<{ reference: string }>('records/products');
      return { journal, references: records.map(({ reference }) => reference) };
    },
    async misbehave(faults) {
      const { status } = await fetch(`${url}/sandbox/faults`, {
        method: 'PUT',
        body: JSON.stringify(faults),
      });
      if (status !== 200) throw new Error(`the sandbox answers ${status}`);
    },
    // It has nothing to keep.
    stop: () => void child.kill('SIGKILL'),
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (text) => resolve(String(text)));
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}`)));
  });
}
