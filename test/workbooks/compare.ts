import type { OfficeCell } from './libreoffice.ts';

/** The ways in which a cell may be read, as docs/commands.md names them. */
export const AGREEMENTS = ['same text', 'ISO date', 'plain number', 'all digits'] as const;
export type Agreement = (typeof AGREEMENTS)[number];

/** Says how a text agrees with a cell of LibreOffice; undefined if it does not. */
export function agreementOf(ours: string, { shown, type, value }: OfficeCell): Agreement | undefined {
  // A CSV file has other line ends, and numbers may have blanks around them for alignment.
  if (ours === shown.replaceAll('\r\n', '\n') || (ours === shown.trim() && type !== 'string'))
    return 'same text';
  if (type === 'date') return datesOf(value).includes(ours) ? 'ISO date' : undefined;
  if (type === 'time') return clocksOf(value).includes(ours) ? 'ISO date' : undefined;
  if (type !== 'float' && type !== 'percentage' && type !== 'currency') return undefined;
  if (plainOf(shown) === ours || (shown === '' && Number(ours) === 0)) return 'plain number';
  // A time of a day that is not shown is a number for LibreOffice.
  return Number(ours) === Number(value) ? 'all digits' : undefined;
}

/** `2026-01-31T13:45:00` with and without its time, and its time alone, since the format decides. */
function datesOf(value: string): string[] {
  const [day = '', time = '00:00:00'] = value.split('T');
  const clock = time.replace(/(\.\d{3})\d*$/, '$1').replace(/\.0+$/, '');
  return [day, `${day}T${clock}`, clock];
}

const DAY_HOURS = 24;

/** `PT37H45M00S` → `37:45:00` and `13:45:00`, since the format decides. */
function clocksOf(value: string): string[] {
  const found = /^PT(\d+)H(\d+)M([\d.,]+)S$/.exec(value);
  if (!found) return [];
  const [hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((text) => Number(text.replace(',', '.')));
  const ms = Math.round((hours * 3600 + minutes * 60 + seconds) * 1000);
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const fraction = ms % 1000 === 0 ? '' : `.${String(ms % 1000).padStart(3, '0')}`;
  const rest = `${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}${fraction}`;
  const whole = ms / 3_600_000;
  return [`${two(whole)}:${rest}`, `${two(whole % DAY_HOURS)}:${rest}`];
}

/** `(1,234.50) kr` → `-1234.50` */
function plainOf(shown: string): string {
  const isNegative = /^[^\d]*\(.*\)[^\d]*$/.test(shown) || /^[^\d.]*-/.test(shown);
  const digits = shown.replace(/(\d),(?=\d)/g, '$1').replace(/[^\d.%]/g, '');
  return (isNegative ? '-' : '') + digits.replace(/\.+$/, '').replace(/^\./, '0.');
}
