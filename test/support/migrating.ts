import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { cliForEachTest } from './cli.ts';

/** The end of a migration of the small shop. */
export const WHOLE = { code: 0, outcomes: { created: 25 }, stopped: undefined };

interface MigrationEnd {
  readonly code: number | null;
  readonly stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: looked at from many sides
  readonly summary: any;
}

/** The end of a migration, with the reason if it stopped early. */
export function endOf({ code, summary }: MigrationEnd) {
  return { code, outcomes: summary.outcomes, stopped: summary.stopped };
}

/** Commands that migrate the shop in the working directory. */
export function migratingWith(cli: ReturnType<typeof cliForEachTest>) {
  return {
    change(file: string, from: string, to: string): void {
      const path = join(cli.cwd, file);
      const text = readFileSync(path, 'utf8');
      expect(text).toContain(from);
      writeFileSync(path, text.replaceAll(from, to));
    },

    async migrating(...args: string[]): Promise<MigrationEnd> {
      const { code, stdout, stderr } = await cli.run(
        'migrate',
        'plan.yaml',
        '--out',
        'out',
        '--json',
        ...args,
      );
      return { code, stderr, summary: JSON.parse(stdout) };
    },
  };
}
