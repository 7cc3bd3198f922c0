import { describe, expect, test } from 'vitest';
import { loadContract } from '../../../src/sandbox/contract.ts';
import { ENDPOINTS, TOKEN_BODIES, WRITTEN } from './endpoints.ts';
import { type Field, namesIn } from './fields.ts';
import { PRODUCT } from './product.ts';
import { LISTED, PAGINATE } from './read-only.ts';
import { isClearable } from './values.ts';

/**
 * Compares the document that the sandbox serves with these tables. Both were typed from the API document
 * independently, so a difference is a mistake in one of the two.
 */

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document as JSON.
type Schema = any;

const document = JSON.parse(loadContract().documentText) as Schema;
const { schemas } = document.components;

function target(node: Schema): Schema {
  return node.$ref === undefined
    ? node
    : node.$ref
        .split('/')
        .slice(1)
        .reduce((inner: Schema, key: string) => inner[key], document);
}

/** `price.salePrice: number`, `status: string of DRAFT, PUBLISH, TRASH`, `name: string, required` */
function lineOf(path: string, type: string, isRequired: boolean, values?: readonly string[]): string {
  return `${path}: ${type}${values ? ` of ${values.join(', ')}` : ''}${isRequired ? ', required' : ''}`;
}

/** The same lines from a schema. */
function linesOf(node: Schema, path: string, isRequired = false): string[] {
  const schema = target(node);
  const here = path === '' ? [] : [lineOf(path, typeOf(schema), isRequired, schema.enum)];
  const object = schema.anyOf ? target(schema.anyOf[0]) : schema;
  const inner = Object.entries(object.properties ?? {}).flatMap(([name, field]) =>
    linesOf(field, path === '' ? name : `${path}.${name}`, object.required?.includes(name)),
  );
  return [...here, ...inner, ...(schema.items ? linesOf(schema.items, `${path}.0`) : [])];
}

/** The type in the notation of the API document. */
function typeOf(schema: Schema): string {
  if (schema === true) return 'any';
  if (schema.anyOf) return schema.anyOf.map((each: Schema) => typeOf(target(each))).join(' or ');
  return [schema.type]
    .flat()
    .map((type: string) => {
      if (type === 'object') return schema.properties ? 'object' : 'open object';
      if (type === 'array') return schema.items ? 'array' : 'open array';
      return NAMES[type === 'string' ? schema.format : type] ?? type;
    })
    .join(' or ');
}

const NAMES: Readonly<Record<string, string>> = { boolean: 'bool', integer: 'int', 'date-time': 'date' };

function fromTable(fields: readonly Field[]): string[] {
  return fields.map(({ path, type, isRequired, values }) =>
    lineOf(path, type === 'URL' ? 'string' : type, isRequired, values),
  );
}

/** Without "required", for sections of the API document that have no such column. */
function plain(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(/, required$/, '')).sort();
}

describe('openapi.json has the fields of the API document, with types, values and required fields', () => {
  const bodies: Readonly<Record<string, readonly Field[]>> = {
    ...Object.fromEntries(WRITTEN.map(({ section, fields }) => [section, fields])),
    ...TOKEN_BODIES,
  };

  test.each(Object.keys(bodies))('%s', (name) => {
    expect(linesOf(schemas[name], '').sort()).toEqual(fromTable(bodies[name] ?? []).sort());
  });

  test('ProductUpdate: the fields of Product, none required; null if it clears the field', () => {
    const changes = PRODUCT.map((field) => ({
      ...field,
      isRequired: false,
      type: (isClearable(field) ? `${field.type} or null` : field.type) as Field['type'],
    }));
    expect(linesOf(schemas.ProductUpdate, '').sort()).toEqual(fromTable(changes).sort());
  });

  test.each([
    ...LISTED.map(({ schema, fields }) => [schema, fields] as const),
    ['Paginate', PAGINATE] as const,
  ])('%s', (name, fields) => {
    expect(plain(linesOf(schemas[name], ''))).toEqual(plain(fromTable(fields)));
    // The document does not say what may be missing, so the schema does not either.
    expect(schemas[name].required).toEqual(namesIn(fields, ''));
  });

  test.each(WRITTEN.map((resource) => [resource.section, resource] as const))(
    '%s: status, and in data the fields of the answer',
    (section, { answered }) => {
      const answer = schemas[`${section}Answer`];
      expect(Object.keys(answer.properties)).toEqual(['status', 'data']);
      expect(answer.required).toEqual(['status', 'data']);
      expect(answer.properties.status.const).toBe('success');
      const identifiers = answered.map((field) => ({ ...field, isRequired: true }));
      expect(linesOf(answer.properties.data, '')).toEqual(fromTable(identifiers));
    },
  );

  test('every object with listed fields accepts no others', () => {
    const open: string[] = [];
    const visit = (node: Schema, path: string): void => {
      const schema = target(node);
      if (schema.properties && schema.additionalProperties !== false) open.push(path);
      for (const [field, part] of Object.entries(schema.properties ?? {})) visit(part, `${path}.${field}`);
      for (const part of [schema.items ?? [], schema.anyOf ?? []].flat()) visit(part, path);
    };
    for (const name of [...Object.keys(bodies), 'ProductUpdate', 'Paginate']) visit(schemas[name], name);
    for (const { schema } of LISTED) visit(schemas[schema], schema);
    expect(open).toEqual([]);
  });
});

describe('openapi.json has the endpoints of the API document (Endpoints)', () => {
  const operations = Object.entries<Schema>(document.paths).flatMap(
    ([path, { parameters = [], ...methods }]) =>
      Object.entries<Schema>(methods).map(([method, operation]) => ({
        endpoint: `${method.toUpperCase()} ${path}`,
        operation,
        parameters: [...parameters, ...(operation.parameters ?? [])].map(target),
      })),
  );
  const operationOf = (endpoint: string) => operations.find((each) => each.endpoint === endpoint) as Schema;

  test('all of them, and no others', () => {
    expect(operations.map(({ endpoint }) => endpoint).sort()).toEqual(
      ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  test.each(ENDPOINTS.map((each) => [`${each.section} › ${each.method} ${each.path}`, each] as const))(
    '%s: its parameters, their types and defaults',
    (_title, { method, path, parameters }) => {
      const found = operationOf(`${method} ${path}`).parameters.map(({ name, required, schema }: Schema) => ({
        name,
        type: typeOf(schema),
        ...(required && { isRequired: true }),
        default: schema.default,
      }));
      // LIMITS.md has the defaults of the sandbox that the document lacks.
      const documented = parameters.map((parameter) =>
        parameter.default === undefined && /^(page|limit)$/.test(parameter.name)
          ? { ...parameter, default: expect.any(Number) }
          : { default: undefined, ...parameter },
      );
      expect(found).toEqual(documented);
    },
  );

  test('every operation whose body is checked against a schema is in the tables', () => {
    const schemasOfBodies = operations.flatMap(({ operation }) =>
      operation.requestBody ? [operation.requestBody.content['application/json'].schema.$ref] : [],
    );
    expect(schemasOfBodies.sort()).toEqual(
      ['RefreshRequest', 'ProductUpdate', ...WRITTEN.map(({ section }) => section)]
        .map((name) => `#/components/schemas/${name}`)
        .sort(),
    );
  });
});
