import type { Dice } from './dice.ts';
import { value } from './values.ts';

const OPTIONS: readonly ((dice: Dice) => readonly string[])[] = [
  () => ['--pad-rows'],
  () => ['--mode', 'update'],
  () => ['--mode', 'create'],
  ({ below }) => ['--limit', `${1 + below(5)}`],
  ({ below }) => ['--offset', `${below(4)}`],
  ({ of }) => ['--max-errors', of(['0', '2', '30%'])],
  () => ['--errors-as', 'xlsx'],
  () => ['--show', '2'],
  () => ['--json'],
  () => ['--quiet'],
  () => ['--report-without-rows'],
  ({ of }) => ['--out-delimiter', of([';', 'tab'])],
  () => ['--out-bom'],
  () => ['--mask-contacts'],
  () => ['--image-base', 'https://cdn.example.com/'],
  (dice) => [
    '--set',
    `${dice.of(['status', 'tags.0', '__proto__.x', 'price.salePrice', 'name'])}=${value(dice)}`,
  ],
];

/** Options that mostly do not fit the file. */
const READING: readonly ((dice: Dice) => readonly string[])[] = [
  () => ['--no-header'],
  ({ below }) => ['--skip-lines', `${1 + below(3)}`],
  ({ of }) => ['--delimiter', of([',', ';', '\t', '|', '::'])],
  ({ of }) => ['--quote', of(['', "'", '"'])],
  ({ of }) => ['--encoding', of(['utf-8', 'windows-1252', 'utf-16le', 'shift_jis'])],
  ({ of }) => ['--sheet', of(['1', '2', '99', 'Notes', '__proto__'])],
  ({ of }) => ['--format', of(['csv', 'tsv', 'json', 'ndjson', 'xlsx'])],
  ({ of }) => ['--mapping', of(['shopify-products', 'woocommerce-products', 'native', 'magento2-products'])],
];

/** Arguments without a NUL, which no process can be given. */
export function hostileOptions(dice: Dice): readonly string[] {
  const chosen = new Map<string, readonly string[]>();
  const kinds = [...(dice.chance(0.4) ? OPTIONS : []), ...(dice.chance(0.04) ? READING : [])];
  if (kinds.length === 0) return [];
  for (let times = 1 + dice.below(2); times > 0; times--) {
    const option = dice.of(kinds)(dice);
    chosen.set(option[0] as string, option);
  }
  return [...chosen.values()].flat().map((word) => word.replaceAll('\0', '').slice(0, 5000));
}
