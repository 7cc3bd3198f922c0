import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { type CommandOptions, type Ended, storeport } from '../command.ts';
import { writeProducts } from '../products.ts';
import type { History, Random } from './plan.ts';

/** A folder that contains homes, and the store that they belong to. */
export interface Place {
  readonly cwd: string;
  readonly sandbox: Sandbox;
}

/** A home after its history, with copies of earlier moments. */
export interface BuiltHome {
  readonly folder: string;
  /** References in the file that was imported last. */
  readonly wanted: readonly string[];
  /** Paths of folders, oldest first. */
  readonly copies: readonly string[];
}

const CONCURRENCY = '16';
/** A command that takes this long counts as hung. */
const HANGS_AFTER_MS = 90_000;

export function command(
  { cwd, sandbox }: Place,
  args: readonly string[],
  options: Pick<CommandOptions, 'onStart'> = {},
): Promise<Ended> {
  const environment = {
    STOREPORT_BASE_URL: sandbox.url,
    STOREPORT_CLIENT_ID: sandbox.clientId,
    STOREPORT_CLIENT_SECRET: sandbox.clientSecret,
  };
  return storeport(args, { cwd, environment, killAfterMs: HANGS_AFTER_MS, ...options });
}

export function importing(file: string, home: string, out: string): string[] {
  return ['import', 'products', file, '--home', home, '--out', out, '--concurrency', CONCURRENCY];
}

export function resuming(home: string): string[] {
  return ['run', 'resume', 'last', '--home', home];
}

/** References of all creates that the store carried out, in order. */
export function createdIn({ journal }: Sandbox): string[] {
  return journal.flatMap(({ kind, did }) => (kind === 'create' && did ? [did.key ?? ''] : []));
}

/** Paths of all files in a home, relative to it, including subfolders. */
export function filesIn(home: string): string[] {
  if (!existsSync(home)) return [];
  const names = readdirSync(home, { recursive: true }).map(String);
  return names.filter((name) => statSync(join(home, name)).isFile()).sort();
}

/** Runs the commands of a history against `home`. */
export async function buildHome(
  place: Place,
  home: string,
  history: History,
  random: Random,
): Promise<BuiltHome> {
  const { cwd } = place;
  const folder = join(cwd, home);
  const copies: string[] = [];
  const copy = () => {
    if (!existsSync(folder)) return;
    const to = join(cwd, `${home}-copy-${copies.length + 1}`);
    mkdirSync(to);
    cpSync(folder, to, { recursive: true });
    copies.push(to);
  };
  /** Kills or interrupts a command after `at` creates; copies the home after `copyAt` creates. */
  const stopAt = (args: readonly string[], at: number, signal: NodeJS.Signals, copyAt?: number) =>
    watched(
      place,
      args,
      [
        ...(copyAt === undefined ? [] : [{ creates: copyAt, act: 'copy' as const }]),
        { creates: at, act: signal },
      ],
      copy,
    );

  if (history.exported)
    await command(place, ['export', 'reviews', '--incremental', '--out', 'reviews.csv', '--home', home]);
  if (history.before !== 'nothing') {
    const file = `${home}-before.csv`;
    writeProducts(join(cwd, file), 450, `${home}-before`);
    const args = importing(file, home, `${home}-before`);
    if (history.before === 'a finished run')
      await watched(place, args, [{ creates: 200, act: 'copy' }], copy);
    else {
      await stopAt(args, random.whole(50, 440), 'SIGKILL', 30);
      await command(place, resuming(home));
    }
    copy();
  }

  const file = `${home}.csv`;
  const { records, end } = history;
  const wanted = writeProducts(join(cwd, file), records, home);
  const args = importing(file, home, `${home}-out`);
  // Beyond the last create, so that some are killed while they write reports.
  const at = random.whole(20, records + 3);
  const copyAt = random.whole(1, at);
  if (end === 'finished') await watched(place, args, [{ creates: copyAt, act: 'copy' }], copy);
  else await stopAt(args, at, end === 'interrupted' ? 'SIGINT' : 'SIGKILL', copyAt);
  if (end === 'killed twice') {
    copy();
    await stopAt(resuming(home), random.whole(1, Math.max(1, records - at)), 'SIGKILL');
  }
  if (end === 'killed and listed') await command(place, ['run', 'list', '--home', home]);
  return { folder, wanted, copies };
}

interface Watch {
  /** Number of creates that the store received since the command began. */
  readonly creates: number;
  readonly act: 'copy' | NodeJS.Signals;
}

/**
 * Runs a command and acts on it after given numbers of creates, so that the speed of the machine does not matter. Stops the
 * process while its home is copied: the copy is consistent, like a snapshot of a file system.
 */
async function watched(
  place: Place,
  args: readonly string[],
  watches: readonly Watch[],
  copy: () => void,
): Promise<Ended> {
  const { journal } = place.sandbox;
  const left = [...watches];
  let seen = journal.length;
  let made = 0;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await command(place, args, {
      onStart(child) {
        timer = setInterval(() => {
          for (; seen < journal.length; seen++) if (journal[seen]?.kind === 'create') made++;
          while (left[0] && made >= left[0].creates) {
            const { act } = left.shift() as Watch;
            if (act !== 'copy') child.kill(act);
            else if (child.exitCode === null) {
              child.kill('SIGSTOP');
              copy();
              child.kill('SIGCONT');
            }
          }
        }, 1);
      },
    });
  } finally {
    clearInterval(timer);
  }
}
