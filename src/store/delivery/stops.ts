import { RunStopped } from '../../model/index.ts';
import type { HttpResult } from '../http/types.ts';
import type { OtherRecord } from '../response/echo.ts';
import { foreignHints, foreignWords } from '../response/messages.ts';
import type { SeenDoubts } from './doubts.ts';

/** The reason to stop for a store whose every answer is of another shape. */
export function notTheApi(exchange: HttpResult, baseUrl: string): RunStopped {
  return new RunStopped(
    'not-the-api',
    `Requests are answered, but not like the store's API does (${foreignWords(exchange, baseUrl)}). Is the base URL right?`,
    foreignHints(exchange, baseUrl),
  );
}

function then(advice: string): string {
  return advice === '' ? '' : ` ${advice}`;
}

/** The reason to stop for a store that answers each record with another one. */
export function otherRecords({ field, sent, got }: OtherRecord, advice: string): RunStopped {
  return new RunStopped(
    'not-the-api',
    `The store answers new records with others than were sent: ${field} "${got}" instead of "${sent}". What was sent is in doubt.${then(advice)}`,
    [LOOK],
  );
}

export function tokenRefused(): RunStopped {
  return new RunStopped(
    'credentials-refused',
    'The store refuses the access token that it has just issued (401).',
    ['Do the client id and the client secret belong to this store, and may they do this?'],
  );
}

const LOOK = 'Look into the store for these records before you send them again.';

export function createsStopped(bad: number, advice = ''): RunStopped {
  return new RunStopped(
    'store-unreachable',
    `${bad} new records in a row were sent without a usable answer. Stopped, to leave no more of them in doubt.${then(advice)}`,
    [LOOK],
  );
}

/** The reason to stop for a store that loses many answers: `bad` of the last `ends` records are in doubt. */
export function tooManyDoubts({ bad, ends }: SeenDoubts, advice = ''): RunStopped {
  return new RunStopped(
    'store-unreachable',
    `${bad} of the last ${ends} new records were sent without a usable answer. Stopped, to leave no more of them in doubt.${then(advice)}`,
    [LOOK],
  );
}

export function updatesStopped(bad: number): RunStopped {
  return new RunStopped(
    'store-unreachable',
    `${bad} attempts in a row to update records got no usable answer from the store.`,
  );
}
