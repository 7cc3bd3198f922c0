import * as z from 'zod';
import { bodyOf } from '../../http/index.ts';
import { ConfigError } from '../../model/index.ts';
import { findingsByName, refuseWrongIds } from '../../pipeline/index.ts';
import type { Sql } from '../../postgres/index.ts';
import type { ExecutorOptions } from '../execute/options.ts';
import { resolveTask } from '../execute/resolve-task.ts';
import { listDoubts } from '../tasks/doubts.ts';
import type { SettleTaskDoubts, TaskDoubtsView } from './api.ts';
import { endedCommand, isoOf, resolveCommand } from './task-views.ts';

const MOST_SHOWN = 1000;
const MOST_ANSWERS = 10_000;

const ANSWERS = z.strictObject({
  answers: z
    .array(
      z.strictObject({
        row: z.int(),
        file: z.string().optional(),
        key: z.string(),
        id: z.string().min(1).nullable(),
      }),
    )
    .min(1)
    .max(MOST_ANSWERS),
});

/** The records of a task whose answer was lost. */
export async function taskDoubtsView(sql: Sql, id: string): Promise<TaskDoubtsView> {
  const { doubts, quarantinedUntil, quarantinedBy, files } = await listDoubts(sql, id);
  return {
    total: doubts.length,
    doubts: doubts.slice(0, MOST_SHOWN),
    until: isoOf(quarantinedUntil),
    worker: quarantinedBy.length === 0 ? null : quarantinedBy.join(', '),
    workers: quarantinedBy,
    endedCommands: quarantinedBy.map(endedCommand),
    command: resolveCommand(id),
    files,
  };
}

/**
 * Records what a person found in the store. Throws ConfigError if an answer cannot be right, if a worker serves the store, or
 * if a lost worker may still send a record that is said not to be there; then none is recorded.
 */
export async function settleTaskDoubts(
  options: ExecutorOptions,
  id: string,
  body: unknown,
): Promise<TaskDoubtsView> {
  const { answers }: SettleTaskDoubts = bodyOf(ANSWERS, body);
  // Before the lease is taken, which workers would wait for.
  refuseWrongIds(answers);
  const { refused, released } = await resolveTask(options, id, async ({ doubtful }) =>
    findingsByName(answers, doubtful),
  );
  if (refused.length > 0)
    throw new ConfigError(refused.join('\n'), [
      'The other answers were recorded. Look in the store once more.',
    ]);
  return { ...(await taskDoubtsView(options.sql, id)), released };
}
