import type { JsonObject, StoreRequest } from '../../model/index.ts';
import { ownValue } from '../../model/index.ts';
import { oneLine } from '../one-line.ts';
import type { FoundRecord } from './body.ts';

/** The key that was sent, and the one in the answer, which is another. */
export interface OtherRecord {
  readonly field: string;
  readonly sent: string;
  readonly got: string;
  readonly id: string;
}

/** Characters of a key that a message shows. */
const MAX_SHOWN = 100;

/**
 * Compares the record in an answer with the one that was sent; undefined if the answer has no key. Requests and answers
 * on a connection may get out of step, and an answer to another request must not be recorded for this one.
 *
 * Stores rewrite keys in their own way, so only the parts that they keep are compared. An update names its record
 * itself, and the key may have been changed in the store: it is another record only if the `_id` differs as well.
 */
export function readEcho(
  { id, record }: FoundRecord,
  { about }: Pick<StoreRequest, 'about'>,
): 'same' | OtherRecord | undefined {
  if (about === undefined) return undefined;
  // True of nearly every answer, so it is tested first and without allocating.
  for (const field of about.fields) if (record[field] === about.value) return 'same';
  const echoed = about.fields.flatMap((field) => {
    const got = keyIn(record, field);
    return got === undefined ? [] : [{ field, got }];
  });
  const [first] = echoed;
  if (first === undefined) return undefined;
  const isSame = echoed.some(({ field, got }) => isSameKey(field, about.value, got)) || id === about.id;
  return isSame
    ? 'same'
    : { field: first.field, sent: oneLine(about.value, MAX_SHOWN), got: oneLine(first.got, MAX_SHOWN), id };
}

function keyIn(record: JsonObject, field: string): string | undefined {
  const value = ownValue(record, field);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Entities that stores write in place of these characters. */
const ENTITY = /&(?:amp|lt|gt|quot|apos|nbsp|#0*(?:34|38|39|60|62)|#x0*(?:22|26|27|3c|3e));/gi;

/** Phone numbers are equal if one ends with the other and both have this many digits. */
const MIN_SHARED_DIGITS = 6;

function isSameKey(field: string, sent: string, got: string): boolean {
  if (sent.trim() === got.trim()) return true;
  if (field === 'phone') {
    const [a, b] = [digitsOf(sent), digitsOf(got)];
    if (Math.min(a.length, b.length) >= MIN_SHARED_DIGITS) return a.endsWith(b) || b.endsWith(a);
  }
  const folded = fold(sent);
  return folded !== '' && folded === fold(got);
}

/** The digits without leading zeros, which are prefixes for other countries or regions. */
function digitsOf(phone: string): string {
  return phone.replace(/\(0\)/, '').replace(/\D/g, '').replace(/^0+/, '');
}

/**
 * Letters and digits only, without case and accents: `Käse 01`, `KASE-01` and `kase_01` are equal. A key of digits loses
 * its leading zeros: `007` equals `7`.
 */
function fold(key: string): string {
  const letters = key
    .replace(ENTITY, '')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase();
  return /^\d+$/.test(letters) ? letters.replace(/^0+(?=\d)/, '') : letters;
}

export interface EchoWatch {
  saw(echo: 'same' | OtherRecord | undefined, setting: string | undefined): void;
  /** A sentence on what to do about records that are in doubt for this reason; empty if none is. */
  advice(): string;
}

/**
 * Detects a store that gives records keys of its own. `onlyOthers` is called after `limit` answers about other records,
 * if none was about the record that was sent.
 */
export function createEchoWatch(
  limit: number,
  onlyOthers: (other: OtherRecord, advice: string) => void,
): EchoWatch {
  let others = 0;
  let everSame = false;
  let advice = '';
  return {
    advice: () => advice,
    saw(echo, setting) {
      if (echo === undefined) return;
      if (echo === 'same') {
        everSame = true;
        return;
      }
      advice = `If this store changes keys by itself, set \`echo: ignore\` under \`${setting ?? 'api'}\` in storeport.config.yaml.`;
      if (++others >= limit && !everSame) onlyOthers(echo, advice);
    },
  };
}

export function isOther(echo: 'same' | OtherRecord | undefined): echo is OtherRecord {
  return typeof echo === 'object';
}
