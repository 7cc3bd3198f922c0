import type { JsonObject } from '../../model/index.ts';
import { PARAMETER_TYPES } from '../lists/query.ts';
import type { ListEndpointDocument, SeededFilter, SeededList } from './seeded-list.ts';

/** Parts of the OpenAPI document that describe one list. `name` is the name of the list, such as `reviews`. */
export interface ListDocument {
  readonly tag: JsonObject;
  readonly paths: JsonObject;
  readonly schemas: JsonObject;
}

export function documentOf(name: string, list: SeededList): ListDocument {
  const { endpoints, item, schemas } = list;
  const page = `${item}Page`;
  return {
    tag: { name },
    paths: Object.fromEntries(
      endpoints.map((endpoint) => [endpoint.path, { get: operation(name, list, endpoint) }]),
    ),
    schemas: {
      ...schemas,
      [page]: {
        description: endpoints[0]?.description ?? '',
        type: 'object',
        additionalProperties: false,
        required: ['results', 'paginate'],
        properties: {
          results: { type: 'array', items: { $ref: `#/components/schemas/${item}` } },
          paginate: { $ref: '#/components/schemas/Paginate' },
        },
      },
    },
  };
}

function operation(
  name: string,
  { item, defaultLimit, filters = [] }: SeededList,
  { operationId, summary, description }: ListEndpointDocument,
): JsonObject {
  return {
    operationId,
    tags: [name],
    summary,
    description,
    parameters: [
      { $ref: '#/components/parameters/Page' },
      {
        name: 'limit',
        in: 'query',
        description: 'Items per page. More than 1000 are not granted, see per_page.',
        schema: { ...PARAMETER_TYPES.positive.schema, default: defaultLimit },
      },
      ...filters.map(parameter),
    ],
    responses: {
      '200': {
        description: `One page of ${name}`,
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${item}Page` } } },
      },
      '400': { $ref: '#/components/responses/Refused' },
      '401': { $ref: '#/components/responses/Unauthorized' },
    },
  };
}

function parameter({ name, type, description, fallback }: SeededFilter): JsonObject {
  return {
    name,
    in: 'query',
    description,
    schema: { ...PARAMETER_TYPES[type].schema, ...(fallback === undefined ? {} : { default: fallback }) },
  };
}
