import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { importable, RESOURCES, type Resource, resourceNamed } from '../../src/resources/index.ts';
import { SEEDED_LIST_NAMES } from '../../src/sandbox/seed/index.ts';
import { scaledRuns } from '../support/property-tests.ts';
import { DIFFERENCES } from './differences.ts';
import { fromOpenApi } from './from-openapi.ts';
import { fromResource } from './from-zod.ts';
import {
  bodySchemaOf,
  itemSchemaAt,
  type Judge,
  judgedByDescription,
  judgedByDocument,
  judgedBySchema,
  operationAt,
  parametersOf,
  schemas,
  writingOperations,
} from './halves.ts';
import { MUTATIONS, type Mutation, mutated } from './mutations.ts';

/**
 * Compares the resource descriptions with the OpenAPI document of the sandbox. Both were written from the API
 * document independently, so a mistake in one shows as a difference.
 */

const RUNS = 200;

/** Every body that can be sent: creates, and the updates that exist. */
const BODIES = importable.flatMap((resource) => {
  const { name, create, update } = resource;
  return [
    { name: `${name}: create`, resource, partial: false, ...(create as NonNullable<typeof create>) },
    ...(update ? [{ name: `${name}: update`, resource, partial: true, ...update }] : []),
  ].map((body) => {
    const operation = operationAt(body.method, body.path);
    if (!operation) throw new Error(`openapi.json has no ${body.method} ${body.path}`);
    return { ...body, operation };
  });
});

type Body = (typeof BODIES)[number];

function judgesOf({ resource, partial, operation }: Body): {
  readonly document: Judge;
  readonly description: Judge;
} {
  return { document: judgedByDocument(operation), description: judgedByDescription(resource, partial) };
}

/** Payloads generated from the document, and from the description. */
function payloadsOf({ resource, partial, operation }: Body): Record<string, Arbitrary<JsonObject>> {
  return {
    'the document': fromOpenApi(bodySchemaOf(operation), schemas) as Arbitrary<JsonObject>,
    'the description': fromResource(resource, partial),
  };
}

/** The payload after a round trip through JSON. */
function sent(payload: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(payload)) as JsonObject;
}

function withoutDifferences(payload: JsonObject, { resource, partial }: Body): JsonObject {
  return DIFFERENCES.filter(({ concerns }) => concerns(resource, partial)).reduce(
    (rest, { without }) => without(rest),
    sent(payload),
  );
}

function mutationNamed(name: string): Mutation {
  return MUTATIONS[name] as Mutation;
}

function forAll(payloads: Arbitrary<JsonObject>, holds: (payload: JsonObject) => void): void {
  const property = fc.property(payloads, (payload) => {
    holds(payload);
  });
  fc.assert(property, { numRuns: scaledRuns(RUNS) });
}

test('every body in the document is compared with a description', () => {
  expect(BODIES.map(({ operation }) => operation.operationId).sort()).toEqual(writingOperations().sort());
});

describe.each(BODIES)('$name', (body) => {
  const { document, description } = judgesOf(body);
  const payloads = payloadsOf(body);

  test.each(Object.keys(payloads))(
    'payloads from %s are accepted by itself and by the other description',
    (source) => {
      const own = source === 'the document' ? document : description;
      forAll(payloads[source] as Arbitrary<JsonObject>, (payload) => {
        expect(own(sent(payload)), 'by itself').toEqual([]);
        const plain = withoutDifferences(payload, body);
        expect(document(plain), 'by the document').toEqual([]);
        expect(description(plain), 'by the description').toEqual([]);
      });
    },
  );

  const biting = Object.keys(MUTATIONS).filter((name) =>
    mutationNamed(name).bites(body.resource, body.partial),
  );
  test.each(biting)('both refuse or both accept it if %s', (name) => {
    let refused = 0;
    for (const valid of Object.values(payloads)) {
      const spoilt = mutated(valid, mutationNamed(name), body.resource);
      forAll(spoilt, (payload) => {
        const plain = withoutDifferences(payload, body);
        const said = { document: document(plain), description: description(plain) };
        if (said.document.length > 0) refused++;
        expect({ ...said, agreed: said.document.length > 0 === said.description.length > 0 }).toEqual({
          ...said,
          agreed: true,
        });
      });
    }
    // A mutation that never invalidates a payload would prove nothing.
    expect(refused).toBeGreaterThan(scaledRuns(RUNS) / 20);
  });
});

describe('where the two differ, the resource description is the stricter one', () => {
  const examples = DIFFERENCES.flatMap(({ why, examples }) =>
    examples.map((example) => ({ why, ...example })),
  );

  test.each(examples)('$payload: $why', ({ resource, partial, payload }) => {
    const body = BODIES.find((each) => each.resource.name === resource && each.partial === partial) as Body;
    const { document, description } = judgesOf(body);
    expect(document(payload)).toEqual([]);
    expect(description(payload)).not.toEqual([]);
    expect(description(withoutDifferences(payload, body))).toEqual([]);
  });
});

describe('lists of the store', () => {
  const readOnly = RESOURCES.filter(({ create }) => !create);

  test('are the read-only resources, each with its list in the document', () => {
    expect(readOnly.map(({ name }) => name).sort()).toEqual([...SEEDED_LIST_NAMES].sort());
    for (const { list } of readOnly) expect(itemSchemaAt(list?.path ?? '')).toBeDefined();
  });

  test.each(readOnly)('$name in the document are accepted, also with additional fields', (resource) => {
    const name = itemSchemaAt(resource.list?.path ?? '') ?? '';
    const document = judgedBySchema(name);
    const items = fromOpenApi(schemas[name] as (typeof schemas)[string], schemas) as Arbitrary<JsonObject>;
    forAll(items, (item) => {
      expect(document(sent(item))).toEqual([]);
      expect(complaints(resource, sent(item))).toEqual([]);
    });
    const unknown = mutationNamed('a field is unknown');
    forAll(mutated(items, unknown, resource), (item) => expect(complaints(resource, sent(item))).toEqual([]));
  });

  test.each(readOnly)('$name have the fields of the document, and no others', (resource) => {
    const schema = schemas[itemSchemaAt(resource.list?.path ?? '') ?? ''] as JsonObject;
    expect(Object.keys(resource.schema.shape).sort()).toEqual(
      Object.keys(schema.properties as object).sort(),
    );
  });

  function complaints({ schema }: Resource, item: JsonObject): string[] {
    return (schema.safeParse(item).error?.issues ?? []).map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );
  }
});

describe('the endpoints', () => {
  test.each(RESOURCES.filter(({ list }) => list))(
    'the list of $name has the path of the document',
    ({ list }) => {
      const operation = operationAt('GET', list?.path ?? '');
      const parameters = operation ? parametersOf(operation) : [];
      expect(parameters).toEqual(
        expect.arrayContaining(['page', 'limit', ...Object.values(list?.filters ?? {})]),
      );
      expect(parameters).toHaveLength(2 + Object.keys(list?.filters ?? {}).length);
    },
  );

  test('the parameter of an update has the name of the document', () => {
    const { update } = resourceNamed('products');
    const operation = operationAt(update?.method ?? '', update?.path ?? '');
    expect(operation && parametersOf(operation)).toEqual([update?.idParam]);
  });
});
