import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeport } from './command.ts';
import { CALLS, killedAt } from './every-call.ts';
import { fillPruneHome, stateOfHome } from './prune-home.ts';

const PRUNE = ['run', 'prune', '--older-than', '0d', '--also-unfinished'];

/**
 * Kills a prune before its k-th system call of each kind, for k = 1 and up. After each kill the ledger must open and know
 * all that is kept, and another prune must come to the same end. Returns the number of kills and the violations.
 */
export async function killPrunes({
  to,
  step,
  onEnd,
}: {
  readonly to: number;
  /** Every how many calls. */
  readonly step: number;
  readonly onEnd: (call: string, k: number, found: string | undefined) => void;
}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'storeport-prune-kills-'));
  try {
    const filled = join(folder, 'filled');
    await fillPruneHome(filled);
    const before = await stateOfHome(filled);
    const home = join(folder, 'home');
    const prune = (under: readonly string[] = []) =>
      storeport([...PRUNE, '--home', home], { cwd: folder, environment: {}, under });
    cpSync(filled, home, { recursive: true });
    const { code, said } = await prune();
    if (code !== 0) throw new Error(said);
    const after = await stateOfHome(home);
    for (const call of CALLS)
      for (let k = 1; k <= to; k += step) {
        rmSync(home, { recursive: true });
        cpSync(filled, home, { recursive: true });
        const killed = await prune(killedAt(call, k));
        // The process had ended before this call.
        if (killed.code !== null) break;
        onEnd(call, k, await violationOf(home));
      }

    async function violationOf(home: string): Promise<string | undefined> {
      try {
        if ((await stateOfHome(home)).kept !== before.kept)
          return 'the ledger does not know what it knew before';
        const again = await prune();
        if (again.code !== 0) return again.said;
        const { kept, dropped } = await stateOfHome(home);
        return kept === after.kept && dropped === after.dropped ? undefined : 'the next prune ends otherwise';
      } catch (error) {
        return (error as Error).message;
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
