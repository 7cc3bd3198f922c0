import {
  type Mapping,
  namedExportMapping,
  namedMapping,
  parseExportMapping,
  withConstants,
} from '../../map/index.ts';
import { ConfigError, constants } from '../../model/index.ts';
import { argumentsOf, FORMAT_OPTIONS } from '../../options/index.ts';
import { listJob, readSettings, refuseUnknownEncoding, tableColumns } from '../../pipeline/index.ts';
import type { Sql } from '../../postgres/index.ts';
import type { Resource } from '../../resources/index.ts';
import { resourcesOf, taskResource } from '../stores/resources.ts';
import type { SelectedStore } from '../stores/select.ts';
import type { FleetSettings } from '../stores/settings.ts';
import type { Work } from './task.ts';
import {
  type ExportTaskOptions,
  exportTaskOptions,
  type ImportTaskOptions,
  importTaskOptions,
  refuseWrongWork,
} from './task-options.ts';

/**
 * Throws ConfigError for work that would be refused by the worker of one of the stores, as far as that can be known without the
 * files of a worker.
 */
export async function refuseWorkAt(sql: Sql, work: Work, stores: readonly SelectedStore[]): Promise<void> {
  refuseWrongWork(work);
  // Most stores are as the API document has them, so few kinds are left of thousands of stores.
  const kinds = await sql.query<{ name: string; api: FleetSettings['api'] | null }>(
    `select min(name) as name, settings -> 'api' as api from store where number = any ($1::int[])
     group by settings -> 'api' order by min(name)`,
    [stores.map(({ number }) => number)],
  );
  for (const { name, api } of kinds) {
    try {
      await refuseForApi(work, api ?? undefined);
    } catch (error) {
      if (!(error instanceof ConfigError) || api === null) throw error;
      const hint = `The store "${name}" has an API of its own: its settings have an api section.`;
      throw new ConfigError(error.message, [...error.hints, hint], error.reason);
    }
  }
}

async function refuseForApi(
  { command, resource: name, options }: Work,
  api: FleetSettings['api'],
): Promise<void> {
  const resource = taskResource(name, { api }, command === 'import' ? 'create' : 'list');
  if (command === 'import') await refuseImport(importTaskOptions(options), resource);
  else refuseExport(exportTaskOptions(options), resource, resourcesOf({ api }));
}

async function refuseImport(given: ImportTaskOptions, resource: Resource): Promise<void> {
  readSettings(argumentsOf(FORMAT_OPTIONS, given));
  const { encoding, mapping, mappingText, set = [] } = given;
  if (encoding !== undefined) await refuseUnknownEncoding(encoding);
  const isKnown = mapping !== undefined && (mappingText !== undefined || !isPath(mapping));
  const rules = isKnown ? namedMapping(mapping, resource, mappingText) : { ...NO_RULES, resource };
  withConstants(rules, constants(set));
}

function refuseExport(
  { filter = [], since, columns, mapping, mappingText, format = 'csv' }: ExportTaskOptions,
  resource: Resource,
  resources: readonly Resource[],
): void {
  listJob({ resource, filters: filter, since }, new Date());
  if (columns !== undefined && mapping !== undefined)
    throw new ConfigError('--columns and --mapping both say what the columns are: leave one of them out.');
  if (mapping === undefined) tableColumns({ resource, format, columns });
  else if (mappingText !== undefined) refuseMappingText(parseExportMapping(mapping, mappingText, resources));
  else if (!isPath(mapping)) namedExportMapping(mapping, resource, resources);

  function refuseMappingText({ resource: shown }: { readonly resource: Resource }): void {
    if (shown.name !== resource.name)
      throw new ConfigError(
        `The mapping ${mapping} shows ${shown.name}, and this command exports ${resource.name}.`,
      );
  }
}

/** A path without its text is a file of the worker. */
const isPath = (mapping: string) => /[/\\.]/.test(mapping);

/** For the constants of an import whose mapping is recognised by its file. */
const NO_RULES: Omit<Mapping, 'resource'> = {
  ...{ name: 'recognised', title: '', recognise: [], aliases: new Map(), fields: [] },
  ...{ lookups: [], watchedRules: [], digest: '' },
};
