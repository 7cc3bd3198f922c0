import { describe, expect, test } from 'vitest';
import { exchange, openSandbox } from './open-sandbox.ts';
import { PRODUCT, RESOURCES } from './payloads.ts';

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

  test('has every endpoint (API document: Endpoints), and each is served', async () => {
    const sandbox = await openSandbox();
    const { paths } = await documentOf(sandbox.url);
    const endpoints = Object.entries<object>(paths).flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((key) => key !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(endpoints.sort()).toEqual([
      'GET /api/datasets/unfulfillment',
      'GET /api/images',
      'GET /api/images/search',
      'GET /api/products',
      'GET /api/reviews/search',
      'GET /api/stores/authentication',
      'POST /api/customers/create',
      'POST /api/discount/create',
      'POST /api/orders/create',
      'POST /api/products/create',
      'POST /api/stores/authentication',
      'POST /api/suppliers/create',
      'PUT /api/products/update/',
    ]);
    for (const endpoint of endpoints) {
      const [method, path] = endpoint.split(' ') as [string, string];
      const { status } = await sandbox.call(method, path, method === 'GET' ? undefined : {});
      expect([endpoint, [404, 405, 500].includes(status)]).toEqual([endpoint, false]);
    }
  });

  test.each(RESOURCES)(
    'lists exactly the fields of the API document: $section',
    async ({ section, whole, required }) => {
      const sandbox = await openSandbox();
      const schema = (await documentOf(sandbox.url)).components.schemas[section];
      expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(whole).sort());
      expect(schema.required).toEqual(required);
      expect(schema.additionalProperties).toBe(false);
    },
  );

  test.each([...RESOURCES.map(({ section }) => section), 'ProductUpdate'])(
    '%s: every object whose fields are listed takes no others',
    async (name) => {
      const sandbox = await openSandbox();
      const document = await documentOf(sandbox.url);
      const open: string[] = [];
      const visit = (schema: Document, path: string): void => {
        const target = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
        if (target.properties && target.additionalProperties !== false) open.push(path);
        for (const [field, part] of Object.entries(target.properties ?? {})) visit(part, `${path}.${field}`);
        if (target.items) visit(target.items, `${path}[]`);
        for (const part of target.anyOf ?? []) visit(part, path);
      };
      visit(document.components.schemas[name], name);
      expect(open).toEqual([]);
    },
  );

  test('an update takes the fields of a product, none of them required (API document: Product)', async () => {
    const sandbox = await openSandbox();
    const schema = (await documentOf(sandbox.url)).components.schemas.ProductUpdate;
    expect(Object.keys(schema.properties)).toEqual(Object.keys(PRODUCT));
    expect(schema.required).toBeUndefined();
  });

  test('the parameters of the lists are those that the server takes', async () => {
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

  test('every schema says which section of the API document it comes from', async () => {
    const sandbox = await openSandbox();
    const { schemas } = (await documentOf(sandbox.url)).components;
    const silent = Object.entries<Document>(schemas).filter(
      ([, schema]) => !schema.description?.includes('API document'),
    );
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  test('every reference leads somewhere', async () => {
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
