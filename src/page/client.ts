import { API_BASE, type ApiFailure } from '../ui/api/index.ts';

/** A request that failed. `hints` are the next steps, each a sentence. */
export class RequestFailed extends Error {
  constructor(
    message: string,
    readonly hints: readonly string[] = [],
    /** HTTP status; 0 if there was no answer. */
    readonly status = 0,
  ) {
    super(message);
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Sends one request to the server. Throws RequestFailed. */
export async function request<Answer>(
  method: Method,
  path: string,
  { body, signal }: { readonly body?: unknown; readonly signal?: AbortSignal } = {},
): Promise<Answer> {
  const answer = await fetch(API_BASE + path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw notThere();
  });
  const text = await answer.text();
  if (!answer.ok) throw failureOf(answer.status, text);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

export const get = <Answer>(path: string, signal?: AbortSignal): Promise<Answer> =>
  request<Answer>('GET', path, signal ? { signal } : {});

export const post = <Answer>(path: string, body: unknown): Promise<Answer> =>
  request<Answer>('POST', path, { body });

/**
 * Sends a file. fetch cannot report the progress of a body, so this is an XMLHttpRequest. `onProgress`: 0 to 1. Rejects
 * with an AbortError when `signal` fires.
 */
export function upload<Answer>(
  file: File,
  onProgress: (part: number) => void,
  signal?: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open('PUT', `${API_BASE}/uploads?name=${encodeURIComponent(file.name)}`);
    call.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    call.onload = () =>
      call.status < 400
        ? resolve(JSON.parse(call.responseText) as Answer)
        : reject(failureOf(call.status, call.responseText));
    call.onerror = () => reject(notThere());
    call.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    signal?.addEventListener('abort', () => call.abort(), { once: true });
    call.send(file);
  });
}

function notThere(): RequestFailed {
  return new RequestFailed('storeport does not answer.', [
    'It may have been stopped: start it again, and open the address that it prints.',
  ]);
}

function failureOf(status: number, text: string): RequestFailed {
  try {
    const { error } = JSON.parse(text) as ApiFailure;
    return new RequestFailed(error.message, error.hints, status);
  } catch {
    return new RequestFailed(`storeport answered with the status ${status}.`, [], status);
  }
}
