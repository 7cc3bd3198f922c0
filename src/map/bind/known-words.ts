import { type JsonObject, originOf, type Row, restore } from '../../model/index.ts';
import { addWarning, type EvalContext } from '../evaluate/eval-context.ts';
import type { KnownWords, Mapping } from '../mapping.ts';
import type { RowView } from './row-view.ts';

/** The loss of a record with a word about its sale that is not known. */
interface Caution {
  /** Path of the field that the words decide. */
  readonly field: string;
  readonly words: string;
  readonly apply: (payload: JsonObject) => void;
}

const CAUTIONS: Readonly<Record<string, Caution>> = {
  products: {
    field: 'status',
    words: 'the product is imported as a draft',
    apply: (product) => replace(product, 'status', 'PUBLISH', 'DRAFT'),
  },
  discounts: {
    field: 'active',
    words: 'the discount is imported switched off',
    apply: (discount) => replace(discount, 'active', true, false),
  },
  customers: {
    field: 'isSubscriber',
    words: 'the customer is not subscribed',
    apply: (customer) => replace(customer, 'isSubscriber', true, false),
  },
  orders: {
    field: 'status',
    words: 'the status of the order is left out',
    apply: (order) => {
      delete order.status;
      const { status: _, ...payment } = (order.payment ?? {}) as JsonObject;
      if (Object.keys(payment).length > 0) order.payment = payment;
      else delete order.payment;
    },
  },
};

function replace(payload: JsonObject, field: string, from: string | boolean, to: string | boolean): void {
  if (payload[field] === from) payload[field] = to;
}

/** Distinct cells that are remembered as known, which is faster than to test each. */
const MAX_REMEMBERED = 1000;

/**
 * Compares the words of some columns with those that the mapping knows. A record with another word is not published,
 * and a warning names the cell: what the word means would be a guess. undefined if there is nothing to compare.
 */
export function wordsCheck(
  { words, fields, resource }: Mapping,
  { find, header }: RowView,
): ((context: EvalContext, payload: JsonObject) => void) | undefined {
  const caution = CAUTIONS[resource.name];
  if (!caution || words === undefined) return undefined;
  // A constant, such as one of --set, does not depend on words.
  const isFixed = fields.some(
    ({ path, rule }) =>
      path.join('.') === caution.field &&
      rule.kind === 'value' &&
      rule.source.kind === 'constant' &&
      !rule.when,
  );
  const columns = words.flatMap((known) => {
    const position = find(known.column);
    return position === undefined ? [] : [{ position, ofLead: known.ofLead, isUnknown: unknownTest(known) }];
  });
  if (isFixed || columns.length === 0) return undefined;
  return (context, payload) => {
    for (const { position, ofLead, isUnknown } of columns) {
      const row = ofLead
        ? firstUnknown([context.row], position, isUnknown)
        : firstUnknown(context.rows, position, isUnknown);
      if (!row) continue;
      caution.apply(payload);
      addWarning(context, {
        message: `"${header[position]}" has words that are not known, so ${caution.words}.`,
        found: `"${shortened(row.cells[position] ?? '')}"`,
        row: originOf(row).row,
      });
    }
  };
}

function firstUnknown(
  rows: readonly Row[],
  position: number,
  isUnknown: (cell: string) => boolean,
): Row | undefined {
  for (const row of rows) {
    const cell = row.cells[position];
    if (cell !== undefined && cell !== '' && isUnknown(cell)) return row;
  }
  return undefined;
}

/** An empty cell is not a word. */
function unknownTest({ isKnown }: KnownWords): (cell: string) => boolean {
  const remembered = new Set<string>();
  return (cell) => {
    if (remembered.has(cell)) return false;
    const text = restore(cell).trim();
    if (text !== '' && !isKnown(text)) return true;
    if (remembered.size < MAX_REMEMBERED) remembered.add(cell);
    return false;
  };
}

const MAX_SHOWN = 40;

function shortened(cell: string): string {
  const text = cell.trim();
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
