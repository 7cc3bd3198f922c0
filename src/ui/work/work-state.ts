import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { NotFound } from '../../http/index.ts';
import { mkdirSync, readdirSync } from '../../model/files/fs.ts';
import { folderAround, type Json, PRIVATE_FOLDER, pathToRead, removeFolder } from '../../model/index.ts';
import type { MappingOrigin, ReadingChoice } from '../api/index.ts';
import { readState, writeState } from '../state-files.ts';

/** A file that is being worked on, as it is kept on disk: a restarted server shows the same. */
export interface WorkState {
  readonly id: string;
  /** Real path of the file. */
  readonly path: string;
  /** ISO 8601. */
  readonly changedAt: string;
  /** Counts what people have changed. */
  readonly version: number;
  readonly choice: ReadingChoice;
  readonly resource: string | null;
  readonly origin: Omit<MappingOrigin, 'isChanged'> | null;
  /** The texts of the mapping, one for each change; empty if the store's own names are used as they are. */
  readonly texts: readonly string[];
  /** Index of the text in force. */
  readonly at: number;
  /** File that the mapping was last written to, and its text then. */
  readonly saved: { readonly path: string; readonly text: string } | null;
  /** The suggestion's certainty of fields, and of columns that it left out. */
  readonly hints: SuggestionHints;
  /** The column `_id` has identifiers of another system. */
  readonly hasForeignIds: boolean;
  /** The folder that held the home when it was kept. */
  readonly base: string;
}

export interface SuggestionHints {
  readonly fields: readonly { readonly field: string; readonly score: number; readonly reason: string }[];
  readonly columns: readonly {
    readonly column: string;
    readonly field: string;
    readonly score: number;
    readonly reason: string;
  }[];
  /** Questions about the text in force; undefined if the text was not suggested. */
  readonly open?: AskedQuestions;
}

/** Questions of a suggestion. They are asked while its text is in force. */
export interface AskedQuestions {
  readonly text: string;
  readonly questions: readonly KeptQuestion[];
  /** Answers before, as pairs of an id and yes or no. */
  readonly answers: readonly (readonly [id: string, isYes: boolean])[];
}

export interface KeptQuestion {
  readonly id: string;
  readonly text: string;
  /** The rule that a yes sets; undefined if a yes or a no makes another suggestion. */
  readonly set?: { readonly field: string; readonly rule: Json };
}

export const NO_HINTS: SuggestionHints = { fields: [], columns: [] };

/** Changes that can be undone. */
const MOST_TEXTS = 100;

/** The mapping in force; undefined if there is none as text. */
export function textOf({ texts, at }: WorkState): string | undefined {
  return texts[at];
}

/** Questions about the mapping in force. */
export function openQuestions(state: WorkState): readonly KeptQuestion[] {
  const { open } = state.hints;
  return open !== undefined && open.text === textOf(state) ? open.questions : [];
}

/** Names the state for pages, which may show an earlier one. */
export function versionOf({ version }: Pick<WorkState, 'version'>): string {
  return String(version);
}

/** The state after a change of a person. */
export function changedBy<State extends Pick<WorkState, 'version'>>(state: State): State {
  return { ...state, version: state.version + 1 };
}

/** True if a person changed the mapping that was found or suggested. */
export function isChanged({ texts, at }: WorkState): boolean {
  return at > 0 && texts[at] !== texts[0];
}

/** Adds a text. Those that were undone are gone, and so are the oldest. The first stays, to tell what was changed. */
export function withText(state: WorkState, text: string): WorkState {
  if (text === textOf(state)) return state;
  const before = state.texts.slice(0, state.at + 1);
  const kept = before.length < MOST_TEXTS ? before : [before[0] as string, ...before.slice(2)];
  const texts = [...kept, text];
  return { ...state, texts, at: texts.length - 1 };
}

/** The states of all works, one folder each. */
export interface WorkStore {
  /** Throws NotFound. */
  read(id: string): WorkState;
  /** Keeps a state with the time of now. */
  keep(state: Omit<WorkState, 'changedAt' | 'base'>): Promise<WorkState>;
  /** The latest first. */
  all(): WorkState[];
  remove(id: string): void;
}

/** A state with the paths of its files now, if the folder around the home was moved. */
function foundAgain(state: WorkState | undefined, home: string): WorkState | undefined {
  const to = folderAround(home);
  if (state === undefined || state.base === to) return state;
  const moved = { from: state.base, to };
  const { path, saved } = state;
  return {
    ...state,
    path: pathToRead(path, moved),
    saved: saved && { ...saved, path: pathToRead(saved.path, moved) },
  };
}

const STATE_FILE = 'work.json';

/** Ids are made here, so a page can name no other folder. */
const ID = /^[0-9a-f]{8}$/;

export function newWorkId(): string {
  return randomUUID().slice(0, 8);
}

/** `folder`: private, and for works alone. `home`: the folder of the ledger. */
export function createWorkStore(folder: string, home: string): WorkStore {
  const stateIn = (id: string) => foundAgain(readState<WorkState>(join(folder, id, STATE_FILE)), home);
  const missing = () => new NotFound('This file is not in the list any more.', ['Open it again.']);

  function read(id: string): WorkState {
    const state = ID.test(id) ? stateIn(id) : undefined;
    if (!state) throw missing();
    return state;
  }
  return {
    read,
    async keep(given) {
      const state = { ...given, base: folderAround(home), changedAt: new Date().toISOString() };
      mkdirSync(join(folder, state.id), { recursive: true, mode: PRIVATE_FOLDER });
      await writeState(join(folder, state.id, STATE_FILE), JSON.stringify(state));
      return state;
    },
    all: () =>
      readdirSync(folder)
        .filter((id) => ID.test(id))
        .flatMap((id) => stateIn(id) ?? [])
        .sort((a, b) => b.changedAt.localeCompare(a.changedAt)),
    remove(id) {
      read(id);
      removeFolder(join(folder, id));
    },
  };
}
