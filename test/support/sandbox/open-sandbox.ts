import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { request } from 'undici';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/index.ts';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  readonly json: any;
  readonly headers: Record<string, unknown>;
}

export interface OpenSandbox extends Sandbox {
  /** A token that is valid as long as the other tokens of the sandbox. */
  readonly token: string;
  /** One request with that token. An object as body is sent as JSON, a text unchanged. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  /** Fails unless the value matches this schema of the served document. */
  expectToBe(schema: string, value: unknown): Promise<void>;
}

/** Starts a sandbox that closes with the test, and obtains a token. */
export async function openSandbox(options: SandboxOptions = {}): Promise<OpenSandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return withToken(sandbox);
}

/** One sandbox for all tests of a file, for cases that do not depend on the records of others. */
export function sandboxOfFile(options: SandboxOptions = {}): () => OpenSandbox {
  let opened: OpenSandbox;
  beforeAll(async () => {
    opened = await withToken(await startSandbox(options));
  });
  afterAll(() => opened.close());
  return () => opened;
}

/** Validators by the document that they are made from: compiling one takes a quarter of a second. */
const validators = new Map<string, { readonly ajv: Ajv2020; readonly of: Map<string, ValidateFunction> }>();

function validatorOf(schema: string, components: unknown): ValidateFunction {
  const text = JSON.stringify(components);
  let known = validators.get(text);
  if (known === undefined) {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajv.addFormat('date-time', (date: string) => new Date(date).toISOString() === date);
    ajv.addSchema({ $id: 'api', components });
    known = { ajv, of: new Map() };
    validators.set(text, known);
  }
  const validate = known.of.get(schema) ?? known.ajv.compile({ $ref: `api#/components/schemas/${schema}` });
  known.of.set(schema, validate);
  return validate;
}

async function withToken(sandbox: Sandbox): Promise<OpenSandbox> {
  const { json } = await exchange(sandbox.url, 'GET', authentication(sandbox));
  const token: string = json.accessToken;
  const call: OpenSandbox['call'] = (method, path, body, headers) =>
    exchange(sandbox.url, method, path, body, { 'x-auth-token': token, ...headers });
  return {
    ...sandbox,
    token,
    call,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    async expectToBe(schema, value) {
      const { json: document } = await exchange(sandbox.url, 'GET', '/openapi.json');
      const validate = validatorOf(schema, document.components);
      validate(value);
      expect(validate.errors ?? []).toEqual([]);
    },
  };
}

/** Path and query of the token endpoint. */
export function authentication(credentials: { clientId?: string; clientSecret?: string }, more = ''): string {
  const { clientId, clientSecret } = credentials;
  const query = new URLSearchParams();
  if (clientId !== undefined) query.set('clientId', clientId);
  if (clientSecret !== undefined) query.set('clientSecret', clientSecret);
  return `/api/stores/authentication?${query}${more}`;
}

/** One request without a token. */
export async function exchange(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await request(url + path, {
    method: method as 'GET',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.statusCode, json: await response.body.json(), headers: response.headers };
}

/** The fields that a refusal names, with their reasons. */
export function refusedFields({ json }: Answer): Record<string, string> {
  const errors = json.errors as { field: string; reason: string }[];
  return Object.fromEntries(errors.map(({ field, reason }) => [field, reason]));
}
