import { basename, dirname, join } from 'node:path';
import { refuseStale } from '../../http/index.ts';
import { NATIVE } from '../../map/index.ts';
import { existsSync, realpathSync, relative, statSync } from '../../model/files/fs.ts';
import { ConfigError, RunStopped, removeFolder } from '../../model/index.ts';
import type { SourceOptions } from '../../pipeline/index.ts';
import { requiredIn } from '../../pipeline/suggest/index.ts';
import type { Resource } from '../../resources/index.ts';
import type {
  ChangeWork,
  CommandView,
  MappingEdit,
  MappingView,
  SaveMapping,
  WorkCommand,
  WorkLine,
  WorkView,
} from '../api/index.ts';
import type { UiContext, Works } from '../context.ts';
import { answerQuestion } from './answer-question.ts';
import { chooseMapping, createPresetChoices, namedChoice } from './choose-mapping.ts';
import { edited } from './edit.ts';
import { foundFile, sampledColumns } from './file-view.ts';
import { type MappingInForce, mappingView } from './mapping-view.ts';
import { type RecordsWanted, recordsView } from './record-views.ts';
import { createSamples, type WorkSample } from './samples.ts';
import { createTurns } from './turns.ts';
import { removeHalfUploads } from './upload.ts';
import {
  mappingPath,
  optionWords,
  presetIn,
  withImportChoice,
  withSavedMapping,
  wordsFor,
  writeMapping,
} from './words.ts';
import {
  changedBy,
  createWorkStore,
  isChanged,
  NO_HINTS,
  newWorkId,
  textOf,
  versionOf,
  type WorkState,
} from './work-state.ts';

/** Files that are being worked on, for the routes. */
export interface OpenWorks extends Works {
  list(): readonly WorkLine[];
  /** Opens a file, with the work that was done on it before. Throws ConfigError if it cannot be found. */
  open(path: string): Promise<WorkView>;
  /** Folder for files that are dropped on the page. */
  readonly uploads: string;
  openUpload(path: string): Promise<WorkView>;
  view(id: string): Promise<WorkView>;
  /** `version`: see `refuseStale`. */
  change(id: string, change: ChangeWork, version?: string | null): Promise<WorkView>;
  remove(id: string): Promise<void>;
  mapping(id: string): Promise<MappingView>;
  edit(id: string, edit: MappingEdit, version?: string | null): Promise<MappingView>;
  saveMapping(id: string, save: SaveMapping, version?: string | null): Promise<MappingView>;
  /** The command line that does the same as a screen. Writes the mapping as `sourceWords` does. */
  command(id: string, wanted: WorkCommand): Promise<CommandView>;
  records(id: string, wanted: RecordsWanted): ReturnType<typeof recordsView>;
}

export function openWorks(context: UiContext): OpenWorks {
  const { commands } = context;
  const store = createWorkStore(context.ownFolder('works'), context.home);
  const uploads = realpathSync(context.ownFolder('uploads'));
  removeHalfUploads(
    uploads,
    store.all().map(({ path }) => path),
  );
  const samples = createSamples();
  const presetChoices = createPresetChoices();
  const inTurn = createTurns();

  async function importable(): Promise<readonly Resource[]> {
    return (await commands.resources()).filter(({ create }) => create !== undefined);
  }
  async function resourceOf({ resource }: WorkState): Promise<Resource> {
    const found = (await importable()).find(({ name }) => name === resource);
    if (!found) throw new ConfigError('Choose first what the file holds: products, customers, …');
    return found;
  }
  /** The work, if its file may still be opened: another server may have kept it. Throws NotFound, ConfigError. */
  function stateOf(id: string): WorkState {
    const state = store.read(id);
    if (!isOwn(state)) context.within(state.path);
    const { saved, origin } = state;
    const isElsewhere = origin?.kind === 'file' && !context.reaches(origin.name);
    return {
      ...state,
      saved: saved && context.reaches(saved.path) ? saved : null,
      origin: isElsewhere ? { ...origin, kind: 'suggestion', name: '' } : origin,
    };
  }
  /** The work, if the page that asks shows it as it is. Throws Stale too. */
  function shownState(id: string, version: string | null | undefined): WorkState {
    const state = stateOf(id);
    refuseStale(version, versionOf(state), 'This file, or its mapping,');
    return state;
  }
  const isUpload = ({ path }: WorkState) => !relative(uploads, path).startsWith('..');
  const isOwn = (state: WorkState) => isUpload(state) || context.reaches(state.path);
  const nameOf = (state: WorkState) => basename(state.path);
  const line = (state: WorkState): WorkLine => ({
    ...{ id: state.id, name: nameOf(state), resource: state.resource, changedAt: state.changedAt },
    path: isUpload(state) ? 'dropped on the page' : context.shown(state.path),
  });

  /** Reads the file and chooses a mapping. If it cannot be read, the state has none, and the view says why. */
  async function withMapping(state: WorkState, resources: readonly Resource[]): Promise<WorkState> {
    const sampled = await samples.of(state).catch(asConfigError);
    if (sampled instanceof ConfigError)
      return { ...state, resource: null, origin: null, texts: [], at: 0, saved: null, hints: NO_HINTS };
    return { ...state, ...(await chooseMapping(sampled, resources)) };
  }

  async function openPath(path: string): Promise<WorkView> {
    const facts = statSync(path, { throwIfNoEntry: false });
    if (!facts?.isFile())
      throw new ConfigError(
        facts ? `${context.shown(path)} is not a file.` : `There is no file ${context.shown(path)}.`,
      );
    const known = store.all().find((state) => state.path === path);
    if (known) return viewOf(await store.keep(stateOf(known.id)));
    const fresh: WorkState = {
      ...{
        id: newWorkId(),
        version: 0,
        path,
        changedAt: '',
        base: '',
        choice: {},
        resource: null,
        origin: null,
      },
      ...{ texts: [], at: 0, saved: null, hints: NO_HINTS, hasForeignIds: false },
    };
    return viewOf(await store.keep(await withMapping(fresh, await importable())));
  }

  async function viewOf(state: WorkState): Promise<WorkView> {
    const sampled = await samples.of(state).catch(asConfigError);
    const isRead = !(sampled instanceof ConfigError);
    const { message = '', hints = [] } = isRead ? {} : sampled;
    return {
      ...line(state),
      version: versionOf(state),
      sizeBytes: statSync(state.path, { throwIfNoEntry: false })?.size ?? 0,
      choice: state.choice,
      ...(isRead ? { found: foundFile(sampled) } : { failure: { message, hints } }),
      mapping: state.origin && { ...state.origin, isChanged: isChanged(state) },
      presets: presetChoices(isRead ? sampled : undefined, await importable()),
    };
  }

  /** The preset, or the text with the path that it will be written to: files for lookups are found from there. */
  function mappingFor(state: WorkState): MappingInForce {
    const preset = presetIn(state);
    if (preset !== undefined) return preset === NATIVE ? {} : { mapping: preset };
    return { mapping: mappingPath(state, context), mappingText: textOf(state) ?? '' };
  }

  async function mappingViewOf(state: WorkState, sampled: WorkSample): Promise<MappingView> {
    const resource = await resourceOf(state);
    return mappingView({
      ...{ state, resource, sampled, mapping: mappingFor(state), required: requiredIn(resource) },
      shownPath: context.shown,
    });
  }

  const sourceWords: Works['sourceWords'] = (id, version) =>
    inTurn(async () => {
      const state = shownState(id, version);
      await resourceOf(state);
      return wordsFor(await store.keep(await withSavedMapping(state, context)), context);
    });

  return {
    list: () => store.all().filter(isOwn).map(line),
    uploads,
    nameOf: (id) => nameOf(stateOf(id)),
    open: (path) => inTurn(() => openPath(context.within(path))),
    openUpload: (path) => inTurn(() => openPath(path)),
    view: async (id) => viewOf(stateOf(id)),
    remove: (id) =>
      inTurn(async () => {
        const state = stateOf(id);
        const rest = [
          join(context.ownFolder('checks'), id),
          ...(isUpload(state) ? [dirname(state.path)] : []),
        ];
        for (const path of rest) removeFolder(path);
        store.remove(id);
      }),
    change: (id, { choice, resource: wanted, mapping }, version) =>
      inTurn(async () => {
        let state = shownState(id, version);
        const resources = await importable();
        const named = wanted === undefined ? undefined : resources.find(({ name }) => name === wanted);
        if (wanted !== undefined && !named)
          throw new ConfigError(`"${wanted}" cannot be imported.`, [
            `Choose one of: ${resources.map(({ name }) => name).join(', ')}.`,
          ]);
        if (choice !== undefined) {
          state = { ...state, choice };
          // Corrections of a person are kept: the columns are mostly the same.
          if (!isChanged(state)) state = await withMapping(state, resources);
        }
        if (named) state = await withMapping(state, [named]);
        if (mapping !== undefined) {
          const resource = await resourceOf(state);
          const chosen = await namedChoice(mapping, await samples.of(state), {
            resource,
            resources,
            context,
          });
          state = { ...state, ...chosen };
        }
        return viewOf(await store.keep(changedBy(state)));
      }),
    async mapping(id) {
      const state = stateOf(id);
      return mappingViewOf(state, await samples.of(state));
    },
    edit: (id, edit, version) =>
      inTurn(async () => {
        const state = shownState(id, version);
        const resource = await resourceOf(state);
        if (edit.op === 'answer') {
          // All rows of the file, also those that the mapping leaves out: the answer may be that they count.
          const sampled = await samples.of({ ...state, texts: [] });
          const after = await store.keep(changedBy(await answerQuestion(state, edit, { sampled, resource })));
          return mappingViewOf(after, await samples.of(after));
        }
        const sampled = await samples.of(state);
        const parts = { resource, columns: sampledColumns(sampled.sample) };
        return mappingViewOf(await store.keep(changedBy(edited(state, edit, parts))), sampled);
      }),
    saveMapping: (id, { path, replace = false }, version) =>
      inTurn(async () => {
        const state = shownState(id, version);
        const file = context.within(path);
        if (!/\.ya?ml$/i.test(file)) throw new ConfigError('The name of a mapping ends in .yaml or .yml.');
        if (existsSync(file) && !replace && file !== state.saved?.path)
          throw new ConfigError(`${context.shown(file)} exists already.`, [
            'Choose another name, or replace it.',
          ]);
        return mappingViewOf(await store.keep(await writeMapping(state, file)), await samples.of(state));
      }),
    async records(id, wanted) {
      const state = stateOf(id);
      const { missing, faults } = await mappingViewOf(state, await samples.of(state));
      if (missing.length > 0 || faults.length > 0) throw unusable(missing, faults);
      const source: SourceOptions = {
        ...{ ...mappingFor(state), resource: await resourceOf(state), files: [state.path] },
        ...{ read: state.choice, constants: {}, mode: state.hasForeignIds ? 'create' : 'upsert' },
      };
      return recordsView(source, wanted);
    },
    sourceWords,
    async command(id, wanted) {
      const source = await sourceWords(id);
      if (wanted.does === 'import') {
        const { does, store: storeId, ...choice } = wanted;
        const words = [does, ...withImportChoice(source, choice), ...(await commands.storeWords(storeId))];
        return { command: commands.commandLine(words) };
      }
      const { record } = wanted;
      const only = record === undefined ? {} : { offset: record, limit: 1, show: 1 };
      return { command: commands.commandLine(['validate', ...source, ...optionWords(only)]) };
    },
  };
}

/** A page names the fields: its user has not written the mapping. */
function unusable(missing: readonly string[], faults: readonly string[]): ConfigError {
  return missing.length > 0
    ? new ConfigError(`There is no column yet for ${missing.join(' and ')}, which each record needs.`, [
        'Go back to the columns, and choose one.',
      ])
    : new ConfigError('The mapping cannot be used yet.', faults);
}

function asConfigError(error: unknown): ConfigError {
  if (error instanceof ConfigError) return error;
  // Such as an archive that is cut off.
  if (error instanceof RunStopped) return new ConfigError(error.message, error.hints);
  throw error;
}
