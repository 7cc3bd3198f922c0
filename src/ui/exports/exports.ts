import { basename, extname, join } from 'node:path';
import { type ApiRoute, bodyOf } from '../../http/index.ts';
import { existsSync, resolve, rmSync } from '../../model/files/fs.ts';
import { ConfigError, shellWord, shownWord, visible } from '../../model/index.ts';
import { fileName, nameParts } from '../../pipeline/index.ts';
import { takeSample } from '../../pipeline/suggest/index.ts';
import type { ExportChoice, ExportCommand, ExportLine, ExportPreview } from '../api/index.ts';
import type { UiContext } from '../context.ts';
import { EXPORT_CHOICE, EXPORT_INTO } from '../jobs/export-choice.ts';
import type { ExportJobs } from '../jobs/plan-job.ts';
import { createTurns } from '../work/turns.ts';
import { openExportList } from './export-list.ts';

export interface UiExports extends ExportJobs {
  readonly routes: readonly ApiRoute[];
  /** Files that were exported from the page, the latest first. */
  list(): readonly ExportLine[];
}

const PREVIEW_ITEMS = 10;
const LONGEST_CELL = 500;
/** How long a store may take for a preview. */
const PREVIEW_MS = 60_000;

/** The part of the API that is about exports. */
export function createExports(context: UiContext): UiExports {
  const { commands, within, shown, word } = context;
  const exports = openExportList(context);
  const inTurn = createTurns();

  /** Texts of the page are parts of words: as words of their own they could be other options, such as --log-file. */
  async function wordsFor(choice: ExportChoice): Promise<string[]> {
    const { resource, filters = [], since, columns, limit, incremental, format, store } = choice;
    const known = (await commands.resources()).some(({ name, list }) => name === resource && list);
    if (!known) throw new ConfigError(`${shownWord(resource)} cannot be exported.`, ['Reload the page.']);
    return [
      ...['export', resource, '--format', format],
      ...filters.map((filter) => `--filter=${filter}`),
      ...(since === undefined ? [] : [`--since=${since}`]),
      ...(columns === undefined || format !== 'csv' ? [] : [`--columns=${columns.join(',')}`]),
      ...(limit === undefined ? [] : ['--limit', String(limit)]),
      ...(incremental ? ['--incremental'] : []),
      ...(await commands.storeWords(store)),
    ];
  }

  /** The words of an export into a file, and its path. Throws ConfigError for a name that its format does not have. */
  async function writingWords(choice: ExportChoice, out: string) {
    const path = within(out);
    const expected = `.${choice.format}`;
    if (extname(path.replace(/\.gz$/i, '')).toLowerCase() !== expected)
      throw new ConfigError(`${shown(path)} does not end in ${expected}.`, [
        'Give the file the name of its format, or choose another format.',
      ]);
    return { path, words: [...(await wordsFor(choice)), `--out=${word(path)}`] };
  }

  /** The name of the file with {date} and the like filled in, as the command will do. Throws ConfigError. */
  async function filledName(out: string, { resource, store }: ExportChoice): Promise<string> {
    const [option, profile = ''] = await commands.storeWords(store);
    return fileName(out, nameParts(new Date(), resource, option === '--profile' ? profile : 'default'));
  }

  async function preview(choice: ExportChoice, left: AbortSignal): Promise<ExportPreview> {
    // One name for all: each name of an export leaves a lock file under `home`.
    const file = join(context.ownFolder('tmp'), 'preview.csv');
    const { incremental: _, ...whole } = choice;
    const limit = Math.min(PREVIEW_ITEMS, choice.limit ?? PREVIEW_ITEMS);
    const words = await wordsFor({ ...whole, format: 'csv', limit });
    try {
      const { result, failure } = await commands.run([...words, `--out=${file}`], {
        stopped: AbortSignal.any([left, AbortSignal.timeout(PREVIEW_MS)]),
      });
      if (!result || failure)
        throw new ConfigError(failure?.message ?? 'The store did not answer in time.', failure?.hints ?? []);
      // A table of one column has no delimiter to be detected.
      const { table, head } = await takeSample(file, {
        ...{ format: 'csv', delimiter: ',', encoding: 'utf-8', skipLines: 0 },
      });
      const total = result.total ?? result.total_at_start;
      return {
        columns: table.header,
        rows: head.map(({ cells }) => cells.map((cell) => visible(cell.slice(0, LONGEST_CELL)))),
        total: typeof total === 'number' ? total : null,
      };
    } finally {
      for (const name of [file, `${file}.manifest.json`, `${file}.report.html`])
        rmSync(name, { force: true });
    }
  }

  return {
    list: exports.read,
    async plan({ kind: _, out, replace = false, ...choice }) {
      const { path, words } = await writingWords(choice, out);
      const filled = within(await filledName(out, choice));
      if (existsSync(filled) && !replace && !choice.incremental)
        throw new ConfigError(`${shown(filled)} exists already.`, ['Choose another name, or replace it.']);
      return {
        ...{
          title: `Export ${choice.resource} to ${basename(path)}`,
          words,
          command: commands.commandLine(words),
        },
        async atEnd({ result }) {
          if (result?.command !== 'export') return undefined;
          // The command has filled in {date} and the like.
          const written = typeof result.out === 'string' ? resolve(context.cwd, result.out) : path;
          await exports.add({
            ...{ file: shown(written), resource: choice.resource, store: choice.store, exists: true },
            items: typeof result.items === 'number' ? result.items : 0,
            at: new Date().toISOString(),
          });
          return undefined;
        },
      };
    },
    routes: [
      { method: 'GET', path: '/exports', run: () => exports.read() },
      {
        method: 'POST',
        path: '/exports/preview',
        run: ({ body, left }) => {
          const choice = bodyOf(EXPORT_CHOICE, body) as ExportChoice;
          return inTurn(() => preview(choice, left));
        },
      },
      {
        method: 'POST',
        path: '/exports/command',
        async run({ body }): Promise<ExportCommand> {
          const { out, ...choice } = bodyOf(EXPORT_INTO, body);
          const command = commands.commandLine((await writingWords(choice as ExportChoice, out)).words);
          return { command, cron: cronLine(command, context.cwd) };
        },
      },
    ],
  };
}

/** A line of a crontab that does the same every night. In a crontab, % begins a new line. */
function cronLine(command: string, folder: string): string {
  const line = `cd ${shellWord(folder)} && ${command} --quiet >> export.log 2>&1`;
  return `15 3 * * * ${line.replaceAll('%', '\\%')}`;
}
