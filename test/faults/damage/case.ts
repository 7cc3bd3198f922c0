import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { buildHome, command, createdIn, filesIn, importing, type Place, resuming } from './home.ts';
import { KINDS, type Kind, partOf } from './kinds.ts';
import { type Judged, judge, type Step } from './oracle.ts';
import { type History, historyOf, type Random, randomOf } from './plan.ts';

export interface DamageCase {
  readonly seed: number;
  /** Control: nothing is damaged, so no command may refuse. */
  readonly undamaged?: boolean;
  /** Keep the folder, with a copy of the home as it was right after the damage. */
  readonly keep?: boolean;
  /** Random unless given. */
  readonly history?: History;
  /** Random unless given; another kind takes its place where that one is impossible. */
  readonly kind?: Kind;
}

export interface DamageResult extends Judged {
  readonly seed: number;
  readonly kind: string;
  readonly part: string;
  readonly how: string;
  /** Why this damage cannot be detected; absent if it must be. */
  readonly undetectable?: string | undefined;
  readonly history: History;
  /** Creates that the store had accepted before the damage. */
  readonly accepted: number;
  readonly steps: readonly Step[];
  /** Absent unless it was kept. */
  readonly folder?: string;
}

const HOME = 'home';
const MOST_TRIES = 50;

/** Gives a home a random history, damages it in a random way, and then runs what a user would try. */
export async function runDamageCase(given: DamageCase): Promise<DamageResult> {
  const { seed, undamaged, keep } = given;
  const random = randomOf(seed);
  const { history = historyOf(random), kind: first = random.weighted(KINDS) } = given;
  const cwd = mkdtempSync(join(tmpdir(), 'storeport-damage-'));
  const sandbox = await startSandbox({ seed: 20, faults: { latency: '6ms', jitter: '4ms' } });
  const place: Place = { cwd, sandbox };
  try {
    const home = await buildHome(place, HOME, history, random);
    const otherHome = first.needsOtherHome
      ? await buildHome(
          place,
          'other-home',
          {
            records: 500,
            before: 'nothing',
            exported: false,
            end: random.one(['killed', 'killed', 'finished']),
          },
          random,
        )
      : undefined;
    const accepted = createdIn(sandbox);
    const target = { ...home, otherHome };
    const damage = undamaged ? undefined : damaged(first, (kind) => kind.apply(target, random), random);
    if (keep && existsSync(home.folder)) cpSync(home.folder, join(cwd, 'damaged'), { recursive: true });
    const steps = await attempts(place, random);
    return {
      seed,
      kind: damage?.kind.name ?? 'nothing damaged',
      part: damage?.part ?? '',
      how: damage?.how ?? '',
      undetectable: damage?.kind.undetectable,
      history,
      accepted: accepted.length,
      steps,
      ...judge(accepted, steps),
      ...(keep ? { folder: cwd } : {}),
    };
  } finally {
    await sandbox.close();
    if (!keep) rmSync(cwd, { recursive: true });
  }
}

/** Applies the chosen kind, or another one if that one is impossible in this home or changes nothing. */
function damaged(first: Kind, apply: (kind: Kind) => ReturnType<Kind['apply']>, random: Random) {
  for (let kind = first, tries = 0; tries < MOST_TRIES; tries++) {
    const done = apply(kind);
    if (done !== undefined) return { kind, ...done };
    if (tries % 5 === 4) kind = random.weighted(KINDS.filter(({ needsOtherHome }) => !needsOtherHome));
  }
  throw new Error('no damage is possible');
}

/** Runs what a user would try, in random order. */
async function attempts(place: Place, random: Random): Promise<Step[]> {
  const commands: { name: string; args: string[]; out?: string }[] = [
    { name: 'list', args: ['run', 'list', '--home', HOME] },
    { name: 'resume', args: resuming(HOME) },
    { name: 'import', args: importing(`${HOME}.csv`, HOME, 'again'), out: join(place.cwd, 'again') },
    { name: 'retry', args: ['run', 'retry', 'last', '--home', HOME] },
  ];
  const steps: Step[] = [];
  const folder = join(place.cwd, HOME);
  while (commands.length > 0) {
    const next = random.one(commands);
    commands.splice(commands.indexOf(next), 1);
    const { args, ...named } = next;
    const before = digests(folder);
    const made = createdIn(place.sandbox).length;
    const ended = await command(place, args);
    const after = digests(folder);
    const names = [...new Set([...before.keys(), ...after.keys()])];
    steps.push({
      ...named,
      ended,
      created: createdIn(place.sandbox).slice(made),
      changed: names.filter((name) => before.get(name) !== after.get(name)),
    });
  }
  return steps;
}

/** Digests of the files that a command must not change when it refuses. SQLite may always change its WAL index. */
function digests(folder: string): Map<string, string> {
  const names = filesIn(folder).filter((name) => !['shm', 'lock'].includes(partOf(name)));
  return new Map(
    names.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}
