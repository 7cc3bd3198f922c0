import { type ApiRoute, serve } from '../http/index.ts';
import { resolve } from '../model/files/fs.ts';
import { lockPage } from '../pipeline/index.ts';
import { nativeColumns, type Resource } from '../resources/index.ts';
import { API_VERSION, type ResourceView, type StartView } from './api/index.ts';
import type { CommandPort } from './command-port.ts';
import type { UiContext } from './context.ts';
import { createExports } from './exports/exports.ts';
import { confinedTo, ownFoldersIn } from './folders.ts';
import { createGuard } from './guard.ts';
import { createJobs } from './jobs/jobs.ts';
import { createRuns } from './runs/runs.ts';
import { workRoutes } from './work/routes.ts';
import { openWorks } from './work/works.ts';

export interface UiOptions {
  readonly commands: CommandPort;
  /** Folder of the ledger. */
  readonly home: string;
  /** Folder below which the page opens and writes files. */
  readonly folder: string;
  /** A file to open at once. It may be anywhere. */
  readonly file?: string | undefined;
  /** 0 for any free one. */
  readonly port: number;
  /** Called with the stack of a bug. */
  readonly onBug: (text: string) => void;
}

export interface UiServer {
  /** The address to open. It holds the key to the page. */
  readonly link: string;
  /** Stops the job in progress, waits for its end, and stops serving. No job can be started from then on. */
  close(): Promise<void>;
}

/** Starts the server of the page. Throws ConfigError if another has this home, the port or the file cannot be opened. */
export async function startUi(options: UiOptions): Promise<UiServer> {
  const { commands, home, folder, file, port, onBug } = options;
  const unlock = lockPage(home);
  try {
    const context: UiContext = {
      ...{ commands, home },
      ...confinedTo(folder, file === undefined ? [] : [file]),
      ownFolder: ownFoldersIn(home),
    };
    const works = openWorks(context);
    const runs = createRuns(context);
    const exports = createExports(context);
    const jobs = createJobs({ context, works, fixes: runs, exports });
    const start: ApiRoute = {
      method: 'GET',
      path: '/start',
      run: async (): Promise<StartView> => ({
        ...{ version: commands.version, apiVersion: API_VERSION, folder: context.folder, home },
        resources: (await commands.resources()).map(resourceView),
        stores: await commands.stores(),
        works: works.list(),
        runs: await runs.latest(),
        exports: exports.list(),
        job: jobs.current(),
      }),
    };
    const routes = [start, ...workRoutes(works), ...runs.routes, ...exports.routes, ...jobs.routes];
    const opened = file === undefined ? undefined : await works.open(resolve(file));
    const server = await serve({
      ...{ command: 'storeport ui', page: 'index.html', gate: createGuard },
      ...{ port, routes, onBug, mask: commands.mask },
    });
    return {
      link: opened === undefined ? server.link : `${server.link}#/work/${opened.id}/file`,
      async close() {
        await jobs.stop();
        await server.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

function resourceView(resource: Resource): ResourceView {
  const { name, singular, create, list } = resource;
  return {
    ...{ name, singular, canImport: create !== undefined, canExport: list !== undefined },
    filters: Object.keys(list?.filters ?? {}),
    columns: nativeColumns(resource),
  };
}
