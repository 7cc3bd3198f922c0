import { basename, dirname, extname, join } from 'node:path';
import { mappingText, NATIVE } from '../../map/index.ts';
import { existsSync, readFileSync } from '../../model/files/fs.ts';
import { ConfigError, pathWord } from '../../model/index.ts';
import { openAtomicFile } from '../../write/index.ts';
import type { ImportChoice, ReadingChoice } from '../api/index.ts';
import type { UiContext } from '../context.ts';
import { isChanged, textOf, type WorkState } from './work-state.ts';

/** Options of the command line for a way of reading. */
function readingWords(choice: ReadingChoice): string[] {
  const { skipLines, noHeader, padRows, ...texts } = choice;
  return [
    ...optionWords({ ...texts, 'skip-lines': skipLines }),
    ...(noHeader ? ['--no-header'] : []),
    ...(padRows ? ['--pad-rows'] : []),
  ];
}

/** Options with their values. An empty value, and one that looks like an option, are written behind `=`. */
export function optionWords(options: Readonly<Record<string, string | number | undefined>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text = String(value);
    return text === '' || text.startsWith('-') ? [`--${name}=${text}`] : [`--${name}`, text];
  });
}

/** Words of an import with the options that a person chose. A suggestion may need a mode; the chosen one counts. */
export function withImportChoice(
  source: readonly string[],
  { mode, canary, limit, rate }: ImportChoice,
): string[] {
  const at = mode === undefined ? -1 : source.indexOf('--mode');
  const rest = at === -1 ? source : [...source.slice(0, at), ...source.slice(at + 2)];
  return [...rest, ...optionWords({ mode, canary, limit, rate })];
}

/** A preset that nobody changed is named; everything else is a file. */
export function presetIn(state: WorkState): string | undefined {
  return state.origin?.kind === 'preset' && !isChanged(state) ? state.origin.name : undefined;
}

/** Path of the mapping, also before it is written. A changed file stays, and its lookups are found from its folder. */
export function mappingPath(state: WorkState, context: UiContext): string {
  const { saved, origin, path } = state;
  if (saved) return saved.path;
  if (origin?.kind === 'file' && !isChanged(state)) return origin.name;
  const folder = origin?.kind === 'file' ? dirname(origin.name) : context.folder;
  const stem = basename(path).replace(/\.gz$/i, '');
  const name = basename(stem, extname(stem));
  for (let n = 1; ; n++) {
    const file = join(folder, `${name}${n === 1 ? '' : `-${n}`}.mapping.yaml`);
    if (!existsSync(file) || readFileSync(file, 'utf8') === textOf(state)) return file;
  }
}

/** Words of a command for a work, behind the command itself. */
export function wordsFor(state: WorkState, context: UiContext): string[] {
  const preset = presetIn(state);
  const mapping =
    preset === NATIVE ? [] : ['--mapping', preset ?? pathWord(context.word(mappingPath(state, context)))];
  return [
    state.resource ?? '',
    pathWord(context.word(state.path)),
    ...mapping,
    ...readingWords(state.choice),
    ...(state.hasForeignIds ? ['--mode', 'create'] : []),
  ];
}

/** Writes the mapping where commands will find it, if it is not there yet. Returns the state with the place. */
export async function withSavedMapping(state: WorkState, context: UiContext): Promise<WorkState> {
  const text = textOf(state);
  if (text === undefined || presetIn(state) !== undefined) return state;
  if (state.origin?.kind === 'file' && !isChanged(state)) {
    if (mappingText(state.origin.name) === text) return state;
    throw new ConfigError(`${context.shown(state.origin.name)} was changed since it was chosen here.`, [
      'Choose it again as the mapping, and look at the records.',
    ]);
  }
  const path = context.within(mappingPath(state, context));
  const found = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (found !== undefined && found === text) return { ...state, saved: { path, text } };
  if (found !== undefined && found !== state.saved?.text)
    throw new ConfigError(`${context.shown(path)} was changed by somebody else since it was written.`, [
      'Save the mapping under another name, or choose that file as the mapping.',
    ]);
  return writeMapping(state, path);
}

/** Writes the mapping in force into a file. */
export async function writeMapping(state: WorkState, path: string): Promise<WorkState> {
  const text = textOf(state);
  if (text === undefined)
    throw new ConfigError("The store's own names need no mapping.", ['Change a field first.']);
  const file = await openAtomicFile(path);
  await file.write(text);
  await file.commit();
  return { ...state, saved: { path, text } };
}
