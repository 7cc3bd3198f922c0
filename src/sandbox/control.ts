import type { Json } from '../model/index.ts';
import type { SandboxJournal } from './journal.ts';
import { FaultError, type GivenFaults } from './misbehave/faults.ts';
import { ok, type Reply, refuse } from './reply.ts';
import type { Request } from './router/router.ts';
import type { Shelf } from './storage/collections.ts';
import type { Tokens } from './tokens.ts';

/** Parts of a running sandbox that control requests read or change. */
export interface ControlledParts {
  readonly misbehave: (faults: GivenFaults) => void;
  readonly given: () => GivenFaults;
  readonly journal: SandboxJournal | undefined;
  readonly shelves: Readonly<Record<string, Shelf>>;
  readonly tokens: Tokens;
}

const PREFIX = '/sandbox/';

/**
 * Answers requests about the sandbox itself, which need no token:
 *
 *     GET  /sandbox/faults                 the faults that are set
 *     PUT  /sandbox/faults {"rate": 20}    replaces the faults
 *     POST /sandbox/revoke-tokens
 *     GET  /sandbox/journal                one line of JSON for each request
 *     GET  /sandbox/records/products       one line of JSON for each record
 *
 * The returned function returns undefined for requests about the store.
 */
export function createControl(parts: ControlledParts): (request: Request) => Reply | undefined {
  const { misbehave, given, journal, shelves, tokens } = parts;

  const routes: Readonly<Record<string, (body: string) => Reply>> = {
    'GET /sandbox/faults': () => ok(JSON.stringify(given())),
    'PUT /sandbox/faults': (body) => setFaults(misbehave, body),
    'POST /sandbox/revoke-tokens': () => {
      tokens.revokeAccess();
      return ok('{}');
    },
    'GET /sandbox/journal': () => lines((journal?.entries ?? []).map((entry) => JSON.stringify(entry))),
    ...Object.fromEntries(
      Object.entries(shelves).map(([name, shelf]) => [
        `GET ${PREFIX}records/${name}`,
        () => lines(Array.from({ length: shelf.count() }, (_, position) => shelf.textAt(position))),
      ]),
    ),
  };

  return ({ method, url, body }) => {
    if (!url.startsWith(PREFIX)) return undefined;
    const route = routes[`${method} ${url}`];
    return route?.(body) ?? refuse(404, 'NOT_FOUND', `There is no ${method} ${url}.`);
  };
}

function setFaults(misbehave: ControlledParts['misbehave'], body: string): Reply {
  let faults: Json;
  try {
    faults = JSON.parse(body) as Json;
  } catch (error) {
    return refuse(400, 'BAD_JSON', `The body is not JSON: ${(error as Error).message}.`);
  }
  if (!isFaults(faults))
    return refuse(
      400,
      'VALIDATION_FAILED',
      'Faults are an object of texts and numbers, such as {"rate": 20}.',
    );
  try {
    misbehave(faults);
  } catch (error) {
    if (error instanceof FaultError) return refuse(400, 'VALIDATION_FAILED', error.message);
    throw error;
  }
  return ok(JSON.stringify(faults));
}

function isFaults(value: Json): value is { [name: string]: string | number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => typeof each === 'string' || typeof each === 'number')
  );
}

function lines(texts: readonly string[]): Reply {
  return {
    status: 200,
    text: texts.map((text) => `${text}\n`).join(''),
    type: 'application/x-ndjson; charset=utf-8',
  };
}
