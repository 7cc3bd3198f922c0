import { type ApiRequest, Forbidden, NotFound, type RawAnswer, Unavailable } from '../../http/index.ts';
import { REPORT_FILES } from '../../report/index.ts';
import { openArtifact, TransferError } from '../artifacts/index.ts';
import { ERROR_FILES, IN_DOUBT_FILES } from '../tasks/report-files.ts';
import type { TaskDetails } from '../tasks/task.ts';
import type { FleetRouteOptions } from './route-options.ts';

const FOR_OPERATORS =
  'This file has rows of the source, such as passwords of customers: only an operator may fetch it.';
const WITHOUT_ROWS = 'results.csv is for all. So is report.html of an import with --report-without-rows.';

/** Reports that have rows of the source. */
const WITH_ROWS: ReadonlySet<string> = new Set([...ERROR_FILES, ...IN_DOUBT_FILES]);

function hasRows(name: string, { reportWithoutRows }: TaskDetails['options']): boolean {
  const file = name.split('/').at(-1) ?? '';
  return WITH_ROWS.has(file) || (file === REPORT_FILES.page && reportWithoutRows !== true);
}

/**
 * A file of the manifest, always to be saved: it may be a page of somebody's data. Throws NotFound if it is not there,
 * Forbidden if it has rows and a viewer asks, and Unavailable if its place does not answer.
 */
export async function fileAnswer(
  { sql, files, onTrouble, roleOf }: FleetRouteOptions,
  { id, number, options }: TaskDetails,
  request: ApiRequest,
): Promise<RawAnswer> {
  const { name = '' } = request.params;
  const { left: signal } = request;
  if (roleOf(request) !== 'operator' && hasRows(name, options))
    throw new Forbidden(FOR_OPERATORS, [WITHOUT_ROWS]);
  const storage = await files('read');
  const answerFor = (error: unknown) => {
    if (!(error instanceof TransferError)) return error;
    onTrouble?.(`${name} of the task ${id}: ${error.message}`);
    return error.code === 'MISSING'
      ? new NotFound(error.message, ['It was removed there, or the files are in another place now.'])
      : new Unavailable(error.message, ['Try again later. If it stays so, ask whoever runs the fleet.']);
  };
  const file = await openArtifact(sql, storage, { task: number, name, signal }).catch((error: unknown) => {
    throw answerFor(error);
  });
  if (!file) throw new NotFound(`The task ${id} has no file "${name}".`, ['Its page lists them.']);
  return {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(file.bytes),
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name.replaceAll('/', '-'))}`,
      'Content-Security-Policy': "sandbox; default-src 'none'",
    },
    body: checkedBytes(file.content, answerFor),
  };
}

/**
 * Passes bytes on, the last ones only when all were found to be those of the manifest: a reader that got as many bytes as
 * announced would take a damaged file for a whole one. An error breaks the answer off, since its status is sent already.
 */
async function* checkedBytes(
  content: AsyncIterable<Uint8Array>,
  answerFor: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array, void, undefined> {
  let held: Uint8Array | undefined;
  try {
    for await (const chunk of content) {
      if (held !== undefined) yield held;
      held = chunk;
    }
  } catch (error) {
    throw answerFor(error);
  }
  if (held !== undefined) yield held;
}
