import type { ColumnCandidate, RoleMatch } from '../../match/candidate.ts';
import { numberFormat } from '../../profile/formats.ts';
import type { MatchesByRole } from '../by-role.ts';
import type { Notes } from '../notes.ts';
import { leaveOutRule, numberRule, type RuleText, textRule } from '../rules.ts';

/** Spellings of units, with the unit that is sent. */
type Units = ReadonlyMap<string, string>;

const WEIGHT_UNITS: Units = unitsOf({
  kg: 'kg kgs kilo kilos kilogram kilograms kilogramm кг',
  g: 'g gr gram grams gramm grammes гр г',
  mg: 'mg',
  lbs: 'lb lbs pound pounds',
  oz: 'oz ounce ounces',
});

const LENGTH_UNITS: Units = unitsOf({
  cm: 'cm centimeter centimeters centimetre centimetres zentimeter см',
  mm: 'mm millimeter millimeters millimetre millimetres мм',
  m: 'm meter meters metre metres',
  in: 'in inch inches zoll',
  ft: 'ft foot feet',
});

/** Lengths in millimetres. */
const MILLIMETRES: Readonly<Record<string, number>> = { mm: 1, cm: 10, m: 1000, in: 25.4, ft: 304.8 };

function unitsOf(spellings: Readonly<Record<string, string>>): Units {
  return new Map(
    Object.entries(spellings).flatMap(([unit, words]) =>
      words.split(' ').map((word) => [word, unit] as const),
    ),
  );
}

/** A unit at the end of a number. Begins where a word does, so that a long word is read once. */
const UNIT = /(?<=[\d.,\s])\s?(\p{L}+)\.?$/u;

/** How often each unit is at the end of the cells, as it is written in lower case; '' for cells without one. */
function unitsIn(cells: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const cell of cells) {
    const word = UNIT.exec(cell)?.[1]?.toLowerCase() ?? '';
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** The first unit in a name such as `Weight (kg)`. */
function unitNamed(name: string, units: Units): string | undefined {
  return name
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .map((word) => units.get(word))
    .find((unit) => unit !== undefined);
}

/** Rules of a weight: each record has the unit of its own cell. */
interface WeightRules {
  readonly value: RuleText | undefined;
  /** undefined if nothing says it, or another column does. */
  readonly unit: RuleText | undefined;
  readonly doubt?: string | undefined;
}

function weightRules(candidate: ColumnCandidate, hasColumn = false): WeightRules {
  const { name, profile } = candidate;
  const named = unitNamed(name, WEIGHT_UNITS);
  const counts = unitsIn(profile.filled);
  const bare = counts.get('') ?? 0;
  if (bare === profile.filled.length)
    return {
      value: numberRule(candidate),
      unit: named && { const: named, when: name },
      doubt: named === undefined && !hasColumn ? NO_UNIT : undefined,
    };
  const written = [...counts.keys()].filter((word) => word !== '');
  const known = new Set(written.flatMap((word) => WEIGHT_UNITS.get(word) ?? []));
  const words = [...WEIGHT_UNITS].filter(
    ([word, unit]) => written.includes(word) || (word === unit && isNear(unit, known)),
  );
  // If most cells have a unit, a number without one is no weight.
  const isLeft = bare > 0 && named === undefined && !hasColumn && bare < 0.5 * profile.filled.length;
  const when = isLeft ? { when: { [name]: { matches: '\\p{L}' } } } : {};
  const number = strippedRule(candidate, when);
  return {
    value: isLeft && number !== undefined ? [withoutUnit(candidate), number] : number,
    unit: {
      from: name,
      replace: [{ match: '^[^\\p{L}]+' }, { match: '\\.$' }],
      map: Object.fromEntries(words),
      ...(named === undefined ? { when: { [name]: { matches: '\\p{L}' } } } : { default: named, when: name }),
    },
    doubt: isLeft ? `${bare} of ${profile.filled.length} cells have no unit, and are left out` : undefined,
  };
}

const NO_UNIT = 'neither its name nor a cell says its unit, so it is sent without one';

/** Counts the cells that have a number and no unit. */
function withoutUnit(candidate: ColumnCandidate): RuleText {
  const conditions = { when: { [candidate.name]: { matches: '^[^\\p{L}]+$' } } };
  return leaveOutRule(candidate, conditions, 'it has no unit in cells where others have one');
}

/** The rules of a weight in an item of a list. */
export function weightEntries(
  candidate: ColumnCandidate,
  column?: ColumnCandidate,
): (readonly [string, RuleText | undefined])[] {
  const { value, unit } = weightRules(candidate, column !== undefined);
  const rules = unitRules(candidate, unit, column);
  return [
    ['sizes.weight.value', value],
    ['sizes.weight.unit', value === undefined || rules.length === 0 ? undefined : oneOrAll(rules)],
  ];
}

/** The unit of the cells, of the name, or of a column. Beside `Grams`, a column of units says only how the weight is shown. */
function unitRules(
  candidate: ColumnCandidate,
  unit: RuleText | undefined,
  column: ColumnCandidate | undefined,
): RuleText[] {
  const shown = column && textRule(column, { when: candidate.name });
  const isOfCells = unit !== undefined && !('const' in (unit as object));
  return [...(unit ? [unit] : []), ...(shown && (isOfCells || !unit) ? [shown] : [])];
}

function oneOrAll(rules: readonly RuleText[]): RuleText | undefined {
  return rules.length === 1 ? rules[0] : rules;
}

const METRIC: ReadonlySet<string> = new Set(['kg', 'g', 'mg']);

/** True if a unit is of the same system as one of the others: a row further down may have it. */
function isNear(unit: string, others: ReadonlySet<string>): boolean {
  return [...others].some((other) => METRIC.has(other) === METRIC.has(unit));
}

/** The number before a unit; undefined if the cells can be read in two ways. `unit`: a pattern of the units that it may have. */
function strippedRule(
  candidate: ColumnCandidate,
  more: Record<string, unknown>,
  unit = '\\p{L}+',
): RuleText | undefined {
  const format = numberFormat(candidate.profile.filled.map((cell) => cell.replace(UNIT, '').trimEnd()));
  return format === undefined
    ? undefined
    : { from: candidate.name, replace: { match: `\\s*${unit}\\.?$` }, number: format, ...more };
}

const DIMENSIONS: readonly (readonly [role: string, field: string])[] = [
  ['depth', 'sizes.dimensions.depth'],
  ['width', 'sizes.dimensions.width'],
  ['height', 'sizes.dimensions.height'],
];

/** Adds the weight and the dimensions of a product. */
export function addMeasures(notes: Notes, byRole: MatchesByRole): void {
  const [weight] = byRole('weight');
  if (weight) addWeight(notes, weight, byRole('weightUnit')[0]);
  addDimensions(
    notes,
    DIMENSIONS.flatMap(([role, field]) => byRole(role).map((match) => ({ ...match, field }))),
  );
}

function addWeight(notes: Notes, { candidate, score }: RoleMatch, column: RoleMatch | undefined): void {
  const { value, unit, doubt } = weightRules(candidate, column !== undefined);
  notes.add('sizes.weight.value', value, { candidates: [candidate], score, doubt });
  if (value === undefined) return;
  const rules = unitRules(candidate, unit, column?.candidate);
  if (rules.length === 0) return;
  const isOfColumn = column !== undefined && rules.length > (unit ? 1 : 0);
  notes.add('sizes.weight.unit', oneOrAll(rules), {
    candidates: isOfColumn ? [column.candidate] : [],
    score: column && !unit ? column.score : score,
  });
}

/** Dimensions have one unit together, so others are converted to it. */
function addDimensions(notes: Notes, found: readonly (RoleMatch & { readonly field: string })[]): void {
  const [first] = found;
  if (!first) return;
  const unit = commonUnit(found.map(({ candidate }) => candidate));
  for (const { candidate, score, field } of found)
    notes.add(field, lengthRule(candidate, unit), {
      candidates: [candidate],
      score,
      doubt: lostLengths(candidate, unit),
    });
  if (unit)
    notes.add(
      'sizes.dimensions.unit',
      { const: unit, when: first.candidate.name },
      { candidates: [], score: first.score },
    );
}

/** The unit of most cells. A cell without one has that of its column's name. Undefined if most have none, or one that is not known. */
function commonUnit(candidates: readonly ColumnCandidate[]): string | undefined {
  const counts = new Map<string | undefined, number>();
  for (const { name, profile } of candidates)
    for (const [word, count] of unitsIn(profile.filled)) {
      const unit = word === '' ? unitNamed(name, LENGTH_UNITS) : LENGTH_UNITS.get(word);
      counts.set(unit, (counts.get(unit) ?? 0) + count);
    }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** Says that cells without a unit are left out beside others that have one, or that all are sent without one. */
function lostLengths({ name, profile }: ColumnCandidate, unit: string | undefined): string | undefined {
  const bare = unitsIn(profile.filled).get('') ?? 0;
  if (bare === profile.filled.length && unit === undefined) return NO_UNIT;
  return bare === 0 || unit === undefined || unitNamed(name, LENGTH_UNITS) !== undefined
    ? undefined
    : `${bare} of ${profile.filled.length} cells have no unit, and are left out`;
}

/** A length in `unit`. Other units are converted; one that is not known is an issue of its record. */
function lengthRule(candidate: ColumnCandidate, unit: string | undefined): RuleText | undefined {
  const { name, profile } = candidate;
  const words = [...unitsIn(profile.filled).keys()];
  const hasBare = words.includes('');
  const named = unitNamed(name, LENGTH_UNITS);
  if (unit === undefined || (hasBare && words.length === 1))
    return converted(numberRule(candidate), named, unit);
  const others = [...new Set(words.flatMap((word) => LENGTH_UNITS.get(word) ?? []))].filter(
    (each) => each !== unit,
  );
  const rules = others.map((each) => {
    const spelled = words.filter((word) => LENGTH_UNITS.get(word) === each).join('|');
    const when = { [name]: { matches: `(^|[^\\p{L}])(${spelled})\\.?$` } };
    return converted(strippedRule(candidate, { when }), each, unit);
  });
  if (hasBare && named !== undefined && named !== unit) {
    const bare = { ...profile, filled: profile.filled.filter((cell) => !UNIT.test(cell)) };
    const when = { [name]: { matches: '^[^\\p{L}]*$' } };
    rules.push(converted(numberRule({ ...candidate, profile: bare }, { when }), named, unit));
  }
  const spelled = words.filter((word) => LENGTH_UNITS.get(word) === unit);
  const isLeft = hasBare && named === undefined;
  const when = isLeft ? { when: { [name]: { matches: '\\p{L}' } } } : {};
  rules.push(strippedRule(candidate, when, `(?i:${[...new Set([...spelled, unit])].join('|')})`));
  if (rules.includes(undefined)) return undefined;
  if (isLeft) rules.unshift(withoutUnit(candidate));
  return rules.length === 1 ? rules[0] : (rules as RuleText[]);
}

function converted(
  rule: RuleText | undefined,
  from: string | undefined,
  to: string | undefined,
): RuleText | undefined {
  const factor = (MILLIMETRES[from ?? ''] ?? 1) / (MILLIMETRES[to ?? ''] ?? 1);
  return rule === undefined || from === to || from === undefined || to === undefined
    ? rule
    : { ...(rule as object), multiply: Number(factor.toPrecision(12)) };
}
