import { againHint, ConfigError, grouped, placeWords } from '../../model/index.ts';
import type { ToUndo } from '../../pipeline/index.ts';
import { runWithStore } from '../run-import.ts';
import type { Command } from './command.ts';
import { MAIN_OVERRIDING_OPTIONS, OVERRIDING_OPTIONS, optionsOfRun } from './resume.ts';
import { type RunArguments, WHICH_RUN } from './run.ts';

interface UndoArguments extends RunArguments {
  readonly yes: boolean;
  readonly out?: string | undefined;
}

export const runUndoCommand: Command<UndoArguments> = {
  usage: 'undo [run]',
  summary: 'Move the products that a run created to the trash; the list is shown first',
  positionals: WHICH_RUN,
  options: {
    yes: { topic: 'sending', type: 'boolean', default: false, describe: 'Do not ask', emptyIsNone: true },
    out: {
      topic: 'output',
      describe: 'Folder of the reports (default: storeport-runs/<run id>)',
      completes: 'folder',
      emptyIsNone: true,
    },
    ...OVERRIDING_OPTIONS,
  },
  mainOptions: ['yes', 'out', ...MAIN_OVERRIDING_OPTIONS],
  async run(args, context) {
    const { undoRun } = await import('../../pipeline/index.ts');
    const { terminal } = context;
    const { id, options } = await optionsOfRun(args, 'undone');
    const confirm = async (what: ToUndo) => {
      terminal.note(shown(what));
      if (what.count === 0) return false;
      if (args.yes) return true;
      if (terminal.questions)
        return terminal.questions.yesNo(
          `Put ${what.count === 1 ? 'it' : `these ${grouped(what.count)}`} into the trash?`,
        );
      throw new ConfigError('There is no terminal to ask on, so nothing was changed.', [
        'Add --yes to continue without asking.',
        ...againHint({ yes: true }),
      ]);
    };
    const own = { ...options, out: args.out, canary: undefined };
    return runWithStore(own, context, (importOptions, connect) =>
      undoRun(id, { ...importOptions, confirm }, connect),
    );
  },
};

/** Lists the records that the undo would put into the trash. */
function shown({ run, resource, count, first }: ToUndo): string {
  if (count === 0) return `The run ${run} created nothing, so there is nothing to undo.`;
  const lines = first.map(({ key, id, ...place }) => `  ${placeWords(place)}, ${key}: ${id}`);
  if (count > first.length) lines.push(`  and ${grouped(count - first.length)} more`);
  return [`The run ${run} created ${grouped(count)} ${resource}:`, ...lines].join('\n');
}
