import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { exchange, openSandbox } from '../support/sandbox/open-sandbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document as JSON.
type Document = any;

async function documentOf(url: string): Promise<Document> {
  return (await exchange(url, 'GET', '/openapi.json')).json;
}

describe('the OpenAPI document', () => {
  test('is served as JSON without a token', async () => {
    const sandbox = await openSandbox();
    const answer = await exchange(sandbox.url, 'GET', '/openapi.json');
    expect([answer.status, answer.json.openapi]).toEqual([200, '3.1.0']);
  });

  test('has only endpoints that are served (API document: Endpoints)', async () => {
    const sandbox = await openSandbox();
    const { paths } = await documentOf(sandbox.url);
    for (const [path, { parameters: _shared, ...operations }] of Object.entries<Document>(paths))
      for (const method of Object.keys(operations)) {
        const { status } = await sandbox.call(method.toUpperCase(), path, method === 'get' ? undefined : {});
        expect([method, path, [404, 405, 500].includes(status)]).toEqual([method, path, false]);
      }
  });

  test('lists the parameters that the server accepts', async () => {
    const sandbox = await openSandbox();
    const document = await documentOf(sandbox.url);
    const VALUES: Record<string, string> = {
      rating: '5',
      published: 'true',
      product: 'x',
      field3: 'pending',
    };
    for (const [path, { get }] of Object.entries<Document>(document.paths)) {
      if (!get || path.includes('authentication')) continue;
      const names = get.parameters.map((parameter: Document) =>
        parameter.$ref
          ? document.components.parameters[parameter.$ref.split('/').at(-1)].name
          : parameter.name,
      );
      const query = names.map((name: string) => `${name}=${VALUES[name] ?? '1'}`).join('&');
      expect([path, (await sandbox.get(`${path}?${query}`)).status]).toEqual([path, 200]);
    }
  });

  test('names a section of the API document for every schema', async () => {
    const sandbox = await openSandbox();
    const { schemas } = (await documentOf(sandbox.url)).components;
    const silent = Object.entries<Document>(schemas).filter(
      ([, schema]) => !schema.description?.includes('API document'),
    );
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  test('has only valid JSON Schemas', async () => {
    const sandbox = await openSandbox();
    const { schemas } = (await documentOf(sandbox.url)).components;
    const ajv = new Ajv2020({ allErrors: true });
    const wrong = Object.entries<Document>(schemas).flatMap(([name, schema]) =>
      ajv.validateSchema(schema) ? [] : [`${name}: ${ajv.errorsText()}`],
    );
    expect(wrong).toEqual([]);
  });

  test('has no reference without a target', async () => {
    const sandbox = await openSandbox();
    const document = await documentOf(sandbox.url);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      (match) => match[1] as string,
    );
    expect(references.length).toBeGreaterThan(50);
    for (const reference of references) {
      const target = reference.split('/').reduce((node: Document, key) => node?.[key], document);
      expect([reference, typeof target]).toEqual([reference, 'object']);
    }
  });
});
