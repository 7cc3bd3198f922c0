import { join } from 'node:path';
import { namedExportMapping } from '../../map/index.ts';
import { writeFileSync } from '../../model/files/fs.ts';
import { type JsonObject, packageVersion } from '../../model/index.ts';
import { csvFormOf } from '../../options/index.ts';
import { fileName, nameParts, runExport, type StoreTarget } from '../../pipeline/index.ts';
import { formatOfName } from '../../write/index.ts';
import { resourcesOf, taskResource } from '../stores/resources.ts';
import { type ExportTaskOptions, exportTaskOptions } from '../tasks/task-options.ts';
import type { TaskEnd } from '../worker/options.ts';
import type { TaskExecution } from './options.ts';

/** Exports a resource into a file among the artifacts of the task. */
export async function exportTask(
  { task, folders, interrupted, log }: TaskExecution,
  connect: () => Promise<StoreTarget>,
): Promise<Omit<TaskEnd, 'publish'>> {
  const given = exportTaskOptions(task.options);
  const { columns, filter = [], since, limit, raw = false } = given;
  const resource = taskResource(task.resource, task.store.settings, 'list');
  const { format } = formatOfName({ name: given.out, option: '--out', asked: given.format });
  const name = fileName(
    given.out ?? `{resource}.${format}`,
    nameParts(new Date(), resource.name, task.store.name),
  );
  const { out, manifest, ...summary } = await runExport({
    ...{ resource, format, columns, since, limit, raw, interrupted },
    out: join(folders.out, name),
    csv: csvFormOf(given),
    mapping: mappingOf(given),
    filters: filter,
    incremental: false,
    home: folders.home,
    version: packageVersion(),
    connect: async () => {
      const { store: baseUrl, client, concurrency } = await connect();
      return { baseUrl, client, concurrency };
    },
    onProgress() {},
    onWarning: (warning) => log.warn({ task: task.id, store: task.store.name }, warning),
  });
  return { exitCode: summary.exit_code, summary: { ...summary, out: name } as unknown as JsonObject };

  function mappingOf({ mapping, mappingText }: ExportTaskOptions) {
    if (mapping === undefined) return undefined;
    const file = mappingText === undefined ? mapping : join(folders.home, 'mapping.yaml');
    if (mappingText !== undefined) writeFileSync(file, mappingText);
    return namedExportMapping(file, resource, resourcesOf(task.store.settings));
  }
}
