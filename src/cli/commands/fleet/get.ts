import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { createReadStream, mkdir, resolve } from '../../../model/files/fs.ts';
import { ConfigError, grouped, shownWord } from '../../../model/index.ts';
import type { CommandContext } from '../../context.ts';
import type { Command } from '../command.ts';
import { DATABASE_OPTIONS, type DatabaseArguments } from './database.ts';
import { type Fleet, withFleet } from './open-fleet.ts';
import { FILES_OPTION, openFiles, type PlaceArguments } from './place.ts';

interface GetArguments extends DatabaseArguments, PlaceArguments {
  readonly task: string;
  readonly names: readonly string[];
  readonly to?: string | undefined;
}

type Task = Awaited<ReturnType<Fleet['showTask']>>;
type Listed = Task['artifacts'][number];

export const fleetGetCommand: Command<GetArguments> = {
  usage: 'get <task> [names..]',
  summary: 'Fetch reports and exports of a task into a folder of this machine',
  positionals: {
    task: { describe: 'Its id, which storeport fleet list shows' },
    names: { describe: 'Names of files, which storeport fleet show lists (default: all)' },
  },
  options: {
    to: {
      topic: 'output',
      describe: 'Folder for the files (default: storeport-runs/TASK)',
      completes: 'folder',
      emptyIsNone: true,
    },
    ...FILES_OPTION,
    ...DATABASE_OPTIONS,
  },
  examples: [
    ['$0 fleet get 20261125-093012-a1b2c3d4e5f6', 'All files of a task'],
    ['$0 fleet get 20261125-093012-a1b2c3d4e5f6 errors.csv --to fixes', 'One of them'],
  ],
  epilogue: () =>
    'A file that is there already with other content, such as corrected rows, is never replaced: nothing is fetched then.',
  run(args, context) {
    return withFleet(args, context, async (fleet, sql) => {
      const task = await fleet.showTask(sql, args.task);
      const files = selected(task, args.names);
      for (const { name } of files) fleet.checkArtifactName(name);
      const folder = resolve(args.to ?? fleet.fetchedFolder(task.id));
      const wanted = await withoutThoseThere(files, folder);
      const storage = await openFiles({ fleet, sql }, args, context, { purpose: 'read' });
      const failed: string[] = [];
      try {
        for (const { name } of wanted) {
          const trouble = await fetchOne(name);
          if (trouble !== undefined) failed.push(name);
        }
      } finally {
        await storage.close();
      }
      printFetched(task, { folder, files, failed }, context);
      return failed.length === 0 ? 0 : 1;

      /** Returns what went wrong with this file; the others are fetched all the same. */
      async function fetchOne(name: string): Promise<string | undefined> {
        try {
          const file = await fleet.openArtifact(sql, storage, { task: task.number, name });
          if (file === undefined) return say(`The task has no file ${name} any more.`);
          await writeFile(join(folder, name), file.content);
          return undefined;
        } catch (error) {
          if (error instanceof fleet.TransferError) return say(error.message);
          throw error;
        }
      }

      function say(trouble: string): string {
        context.terminal.error(trouble);
        return trouble;
      }
    });
  },
};

/** The files of a task that were named, or all. Throws ConfigError if there are none. */
function selected({ id, artifacts }: Task, names: readonly string[]): Listed[] {
  if (artifacts.length === 0)
    throw new ConfigError(`The task ${id} has no files yet.`, [
      'They appear when an execution of it has ended.',
    ]);
  const known = new Map(artifacts.map((file) => [file.name, file]));
  for (const name of names)
    if (!known.has(name))
      throw new ConfigError(`The task ${id} has no file "${shownWord(name)}".`, [
        `It has: ${[...known.keys()].join(', ')}.`,
      ]);
  return names.length === 0 ? [...artifacts] : [...new Set(names)].flatMap((name) => known.get(name) ?? []);
}

/** Files that are not in the folder yet. Throws ConfigError if one is there with other content. */
async function withoutThoseThere(files: readonly Listed[], folder: string): Promise<Listed[]> {
  const wanted: Listed[] = [];
  for (const file of files) {
    const path = join(folder, file.name);
    const there = await digestOf(path);
    if (there === undefined) wanted.push(file);
    else if (there !== file.sha256)
      throw new ConfigError(
        `${path} is there already, and differs from the file of the task. Nothing was fetched.`,
        ['Give another folder with --to.'],
      );
  }
  return wanted;
}

async function digestOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new ConfigError(`${path} cannot be read: ${message}.`);
  }
}

/** Writes a file that appears only when all its bytes are there and are those of the manifest. */
async function writeFile(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  const { openAtomicFile } = await import('../../../write/index.ts');
  await mkdir(dirname(path), { recursive: true });
  const file = await openAtomicFile(path);
  try {
    for await (const chunk of content) await file.write(chunk);
    await file.commit();
  } finally {
    await file.abort();
  }
}

interface Fetched {
  readonly folder: string;
  readonly files: readonly Listed[];
  readonly failed: readonly string[];
}

function printFetched(
  task: Task,
  { folder, files, failed }: Fetched,
  { terminal, json }: CommandContext,
): void {
  const there = files.filter(({ name }) => !failed.includes(name));
  if (json)
    terminal.out(
      JSON.stringify({
        ...{ task: task.id, folder },
        files: there.map(({ name, bytes, sha256 }) => ({ name, path: join(folder, name), bytes, sha256 })),
        failed,
      }),
    );
  else
    terminal.out(
      [
        ...there.map(({ name, bytes }) => `${join(folder, name)}  ${grouped(bytes)} bytes`),
        `${there.length} of ${files.length} ${files.length === 1 ? 'file is' : 'files are'} in ${folder}.`,
      ].join('\n'),
    );
}
