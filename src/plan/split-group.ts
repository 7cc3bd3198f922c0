import type { Issue } from '../model/index.ts';

/** The issue of rows whose group has begun in earlier rows, with others between. */
export function splitGroup(key: string, before: string, here: string): Issue {
  return {
    code: 'group-split',
    message: `"${key}"${BEGAN}${before} and is in ${here} again, with others between: move its rows together`,
  };
}

/** The issue of such rows if they are re-imported without the others. */
export function stillSplitGroup(key: string, run: string): Issue {
  return {
    code: 'group-split',
    message:
      `"${key}"${BEGAN}other rows of the run ${run}, and these are only a part of it. Add the others, or import all its ` +
      'rows again from the source. If these are all of them, clear their cells in storeport_run',
  };
}

/**
 * Refuses re-imported rows of a group whose record was sent meanwhile from other re-imported rows. They may be only a part
 * of the group, and an update would then delete the rest.
 */
export function sentSince(
  key: string,
  { run, outcome }: { readonly run: string; readonly outcome: string },
): Issue {
  return {
    code: 'group-split',
    message:
      `"${key}" was imported again from the same run before, and the run ${run} has ${outcome} it. If these are all rows of it, clear ` +
      'their cells in storeport_run. Else import all its rows again from the source',
  };
}

const BEGAN = ' began in ';

/** Finds the key of the group in such a message. Re-imported rows with that key are still a part of the group. */
export function splitKeyIn(message: string): string | undefined {
  const end = message.indexOf(`"${BEGAN}`);
  return message.startsWith('"') && end > 0 ? message.slice(1, end) : undefined;
}
