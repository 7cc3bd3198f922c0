import type { LeftOut, MappingDraft } from '../draft.ts';
import { choices, dates } from '../match/fits.ts';
import { says } from '../names/read-name.ts';
import { saysState } from '../profile/status-words.ts';
import { MARK, STATES } from '../roles/visibility.ts';
import type { ReadColumn } from '../sample.ts';
import type { Concept } from '../words/concepts.ts';

/** Harm of a state that is not read, and the concepts that its column may name beside it. */
interface StateRisk {
  readonly risk: string;
  /** Concepts that say a state in this resource only. */
  readonly named?: readonly Concept[];
  readonly beside: readonly Concept[];
}

const RISKS: Readonly<Record<string, StateRisk>> = {
  products: {
    risk: 'it may decide what is public',
    named: ['state'],
    beside: ['product', 'store', 'state', 'sale', 'category', 'available', 'date', 'start', 'end'],
  },
  customers: {
    risk: 'it may decide who can buy',
    beside: ['customer', 'contact', 'state', 'group', 'date', 'end'],
  },
  orders: {
    risk: 'it may decide which orders count',
    named: ['type'],
    beside: ['order', 'state', 'date', 'type'],
  },
  discounts: { risk: 'it may decide which discounts count', beside: ['discount', 'state', 'code', 'store'] },
};

/**
 * The columns that are left out, with those that seem to decide what is public, or who can buy, and are not read. A column with one
 * text in all rows decides nothing.
 */
export function withUnreadStates(
  resource: string,
  columns: readonly ReadColumn[],
  { fields }: MappingDraft,
  leftOut: readonly LeftOut[],
): LeftOut[] {
  const risk = RISKS[resource];
  if (risk === undefined) return [...leftOut];
  const used = new Set(fields.flatMap(({ columns: own }) => own));
  const states = columns.filter((column) => !used.has(column.name) && isState(column, risk));
  const names = new Set(states.map(({ name }) => name));
  const known = leftOut.map((each) => (names.has(each.column) ? { risk: risk.risk, ...each } : each));
  const listed = new Set(leftOut.map(({ column }) => column));
  const unlisted = (each: ReadColumn) => !used.has(each.name) && !listed.has(each.name);
  const hasState = states.length > 0 || fields.some(({ field }) => field === 'status' || field === 'active');
  const flagsOnly = hasState ? [] : columns.filter((column) => isUnknownFlag(column));
  return [
    ...known,
    ...states.filter(unlisted).map((column) => leftState(column, 'its name does not say it clearly', risk)),
    ...flagsOnly.filter(unlisted).map((column) => leftState(column, 'its name is not known', risk)),
  ];
}

function leftState({ name, profile }: ReadColumn, why: string, { risk }: StateRisk): LeftOut {
  return { column: name, field: 'status', why, sample: profile.filled[0] ?? '', risk };
}

/** True for yes and no, or for marks in some rows, under a name without a known word. */
function isUnknownFlag({ reading, profile }: ReadColumn): boolean {
  if (reading.terms.length > 0 || profile.filled.length === 0) return false;
  const areMarks = profile.fillRate < 1 && profile.filled.every((cell) => MARK.test(cell));
  return areMarks || (profile.share('yes-no') === 1 && profile.distinct.size > 1);
}

function isState(column: ReadColumn, { named = [], beside }: StateRisk): boolean {
  const { reading, profile } = column;
  const isNamed = [...STATES, ...named].some((concept) => says(reading, concept));
  const isOfOthers = !reading.terms.every((term) =>
    term.some((concept) => STATES.includes(concept) || beside.includes(concept)),
  );
  if (isOfOthers || !(isNamed || saysState(profile.filled))) return false;
  const differs = profile.distinct.size > 1 || (profile.distinct.size === 1 && profile.fillRate < 1);
  return differs && Math.max(choices(column), dates(column)) > 0;
}
