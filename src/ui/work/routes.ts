import * as z from 'zod';
import { type ApiRequest, type ApiRoute, bodyOf, numberIn } from '../../http/index.ts';
import type { ChangeWork, MappingEdit, WorkCommand } from '../api/index.ts';
import { keepUpload } from './upload.ts';
import type { OpenWorks } from './works.ts';

const text = z.string();
const plain = z.union([text, z.number(), z.boolean()]);
const OPEN = z.strictObject({ path: text.min(1) });
const CHANGE = z.strictObject({
  choice: z
    .strictObject({
      format: z.enum(['csv', 'tsv', 'json', 'ndjson', 'xlsx']).optional(),
      encoding: text.optional(),
      delimiter: text.optional(),
      quote: text.optional(),
      sheet: text.optional(),
      skipLines: z.int().min(0).max(10_000).optional(),
      noHeader: z.boolean().optional(),
      padRows: z.boolean().optional(),
    })
    .optional(),
  resource: text.optional(),
  mapping: text.optional(),
});
const EDIT = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.literal('set'),
    field: text.min(1),
    rule: z.strictObject({
      columns: z.array(text),
      number: z.enum(['plain', 'english', 'german', 'french', 'swiss']).optional(),
      currency: z.union([z.boolean(), text.min(1), z.array(text.min(1)).min(1)]).optional(),
      split: text.optional(),
      words: z.record(text, plain).optional(),
      default: plain.optional(),
    }),
  }),
  z.strictObject({ op: z.literal('constant'), field: text.min(1), value: plain }),
  z.strictObject({ op: z.literal('rule'), field: text.min(1), text }),
  z.strictObject({ op: z.literal('remove'), field: text.min(1) }),
  z.strictObject({ op: z.literal('group'), by: z.array(text) }),
  z.strictObject({ op: z.literal('answer'), id: text.min(1), isYes: z.boolean() }),
  z.strictObject({ op: z.literal('text'), text }),
  z.strictObject({ op: z.enum(['undo', 'redo']) }),
]);
export const IMPORT_CHOICE = z.strictObject({
  mode: z.enum(['create', 'update', 'upsert']).optional(),
  canary: z.int().positive().optional(),
  limit: z.int().positive().optional(),
  rate: z.number().positive().optional(),
});
const COMMAND = z.discriminatedUnion('does', [
  z.strictObject({ does: z.literal('check'), record: z.int().min(0).optional() }),
  z.strictObject({ does: z.literal('import'), store: text.min(1), ...IMPORT_CHOICE.shape }),
]);
const SAVE = z.strictObject({ path: text.min(1), replace: z.boolean().optional() });

const MOST_RECORDS = 50;

/** The part of the API that is about files and their mappings. */
export function workRoutes(works: OpenWorks): readonly ApiRoute[] {
  const idIn = ({ params }: ApiRequest) => params.id ?? '';
  return [
    { method: 'GET', path: '/works', run: () => works.list() },
    { method: 'POST', path: '/works', run: ({ body }) => works.open(bodyOf(OPEN, body).path) },
    {
      method: 'PUT',
      path: '/uploads',
      readsBody: true,
      run: async ({ incoming, query }) =>
        works.openUpload(await keepUpload(incoming, query.get('name') ?? '', works.uploads)),
    },
    { method: 'GET', path: '/works/:id', run: (request) => works.view(idIn(request)) },
    {
      method: 'PATCH',
      path: '/works/:id',
      run: (request) =>
        works.change(idIn(request), bodyOf(CHANGE, request.body) as ChangeWork, request.query.get('version')),
    },
    { method: 'DELETE', path: '/works/:id', run: (request) => works.remove(idIn(request)) },
    { method: 'GET', path: '/works/:id/mapping', run: (request) => works.mapping(idIn(request)) },
    {
      method: 'POST',
      path: '/works/:id/mapping',
      run: (request) =>
        works.edit(idIn(request), bodyOf(EDIT, request.body) as MappingEdit, request.query.get('version')),
    },
    {
      method: 'POST',
      path: '/works/:id/mapping/file',
      run({ params, query, body }) {
        const { path, replace } = bodyOf(SAVE, body);
        const save = replace === undefined ? { path } : { path, replace };
        return works.saveMapping(params.id ?? '', save, query.get('version'));
      },
    },
    {
      method: 'POST',
      path: '/works/:id/command',
      run: (request) => works.command(idIn(request), bodyOf(COMMAND, request.body) as WorkCommand),
    },
    {
      method: 'GET',
      path: '/works/:id/records',
      run({ params, query, left }) {
        return works.records(params.id ?? '', {
          from: numberIn(query, 'from', { default: 0, most: Number.MAX_SAFE_INTEGER }),
          count: numberIn(query, 'count', { default: 1, most: MOST_RECORDS }),
          key: query.get('key') ?? undefined,
          withIssues: query.get('issues') === '1',
          left,
        });
      },
    },
  ];
}
