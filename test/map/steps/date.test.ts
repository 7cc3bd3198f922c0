import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STEPS } from '../../../src/map/index.ts';
import { accepts, apply } from './apply.ts';

describe('a date', () => {
  test.each([
    ['2024-02-29', '2024-02-29T00:00:00Z'],
    ['2024/02/29', '2024-02-29T00:00:00Z'],
    ['2024-11-22T12:43', '2024-11-22T12:43:00Z'],
    ['2024-11-22T12:43:11Z', '2024-11-22T12:43:11Z'],
    ['2024-11-22 12:43:11 UTC', '2024-11-22T12:43:11Z'],
    ['2024-11-22T12:43:11.120+05:30', '2024-11-22T12:43:11.120+05:30'],
  ])('with the year first needs no format: %s', (text, out) => {
    expect(apply('date', true, text)).toMatchObject({ value: out, codes: [] });
  });

  test.each(['03/04/2024', '3.4.2024', '25/12/2024', '03-04-24', '3/4/2024 10:00'])(
    'with an undeclared order of day and month is an issue: %s',
    (text) => {
      expect(apply('date', true, text)).toMatchObject({ value: undefined, codes: ['ambiguous-date'] });
      expect(apply('date', { zone: 'Europe/Paris' }, text).codes).toEqual(['ambiguous-date']);
    },
  );

  test.each([
    ['YYYY-MM-DD', '2023-02-29'],
    ['YYYY-MM-DD', '2024-13-01'],
    ['YYYY-MM-DD', '2024-00-10'],
    ['YYYY-MM-DD', '0000-01-01'],
    ['YYYY-MM-DD HH:mm', '2024-01-01 24:00'],
    ['YYYY-MM-DD HH:mm', '2024-01-01 10:60'],
    ['D/M/YYYY h:mm A', '1/2/2024 13:00 PM'],
    ['DD MMM YYYY', '31 Jun 2024'],
  ])('that does not exist is an issue: %s %s', (format, text) => {
    const { value, codes, messages } = apply('date', format, text);
    expect([value, codes]).toEqual([undefined, ['not-a-date']]);
    expect(messages[0]).toBe(`"${text}" is a day or a time that does not exist`);
  });

  test.each([
    ['DD.MM.YYYY', '1.7.2024'],
    ['DD.MM.YYYY', '01-07-2024'],
    ['DD.MM.YYYY', '01.07.2024 10:00'],
    ['D MMM YYYY', '5 Juni 2024'],
  ])('in another format than %s is an issue that shows it: %s', (format, text) => {
    expect(apply('date', format, text).messages).toEqual([
      `"${text}" is not a date; write it like ${format}`,
    ]);
  });

  test.each([
    ['D MMMM YYYY', '5 january 2024', '2024-01-05T00:00:00Z'],
    ['MMM D, YYYY', 'Sept 9, 2024', '2024-09-09T00:00:00Z'],
    ['MM/DD/YY', '12/31/24', '2024-12-31T00:00:00Z'],
    ['YYYYMMDD', '20241231', '2024-12-31T00:00:00Z'],
    ['YYYYMMDDTHHmmss', '20241231T235959', '2024-12-31T23:59:59Z'],
    ['D/M/YYYY h:mm A', '1/2/2024 12:05 a.m.', '2024-02-01T00:05:00Z'],
    ['D/M/YYYY h:mm A', '1/2/2024 12:05 PM', '2024-02-01T12:05:00Z'],
    ['DD/MM/YYYY HH:mm Z', '01/02/2024 10:00 -0330', '2024-02-01T10:00:00-03:30'],
  ])('%s reads %s', (format, text, out) => {
    expect(apply('date', format, text).value).toBe(out);
  });

  test('is read by the first of several formats that fits', () => {
    const formats = ['DD/MM/YYYY', 'YYYY-MM-DD'];
    expect(apply('date', formats, '2024-04-03').value).toBe('2024-04-03T00:00:00Z');
    expect(apply('date', formats, 'x').messages).toEqual([
      '"x" is not a date; write it like DD/MM/YYYY or YYYY-MM-DD',
    ]);
  });

  test('survives a round trip in any of the formats', () => {
    const formats = ['YYYY-MM-DD', 'D/M/YYYY', 'MM.DD.YYYY', 'DD MMM YYYY'] as const;
    const days = fc.date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(days, fc.constantFrom(...formats), (day, format) => {
        const [year = '', month = '', date = ''] = day.toISOString().slice(0, 10).split('-');
        const name = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' }).format(day);
        const text = {
          'YYYY-MM-DD': `${year}-${month}-${date}`,
          'D/M/YYYY': `${Number(date)}/${Number(month)}/${year}`,
          'MM.DD.YYYY': `${month}.${date}.${year}`,
          'DD MMM YYYY': `${date} ${name} ${year}`,
        }[format];
        expect(apply('date', { format, as: 'date' }, text).value).toBe(`${year}-${month}-${date}`);
      }),
    );
  });
});

describe('a local time without offset', () => {
  const read = (zone: string, text: string) => apply('date', { format: 'YYYY-MM-DD HH:mm', zone }, text);

  test.each([
    'Europe/Paris',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Casablanca',
  ])('in %s: any moment survives a round trip', (zone) => {
    const shown = new Intl.DateTimeFormat('sv', {
      ...{ timeZone: zone, dateStyle: 'short', timeStyle: 'short' },
    });
    const minutes = fc.integer({ min: 0, max: 50 * 365 * 24 * 60 });
    fc.assert(
      fc.property(minutes, (minute) => {
        const moment = minute * 60_000;
        const text = shown.format(moment);
        const { value } = read(zone, text);
        // In the hour that clocks show twice, the first one is used.
        const earlier = moment - Date.parse(String(value));
        expect([0, 1_800_000, 3_600_000]).toContain(earlier);
        expect(shown.format(Date.parse(String(value)))).toBe(text);
      }),
    );
  });

  test('that occurs twice is the earlier one, and one that clocks skip is an issue', () => {
    expect(read('Europe/Paris', '2024-10-27 02:30').value).toBe('2024-10-27T02:30:00+02:00');
    expect(read('Europe/Paris', '2024-03-31 02:30').messages).toEqual([
      '"2024-03-31 02:30" is a time that clocks in Europe/Paris skip',
    ]);
  });

  test('keeps the offset that the text itself has', () => {
    const given = { format: 'YYYY-MM-DD HH:mm Z', zone: 'Europe/Paris' };
    expect(apply('date', given, '2024-07-01 10:00 -05:00').value).toBe('2024-07-01T10:00:00-05:00');
  });
});

test.each([
  ['DD/MM', '"DD/MM" needs a year, a month and a day, such as DD/MM/YYYY.'],
  ['DD/MM/YYYY hh:mm', '"DD/MM/YYYY hh:mm" needs both the hour of twelve (h) and AM or PM (A), or neither.'],
  ['dd/MM/YYYY', '"dd" is not a part of a date; there are YYYY, YY, '],
  ['constructor DD/MM/YYYY', '"constructor" is not a part of a date; there are YYYY, YY, '],
  [
    { format: 'DD/MM/YYYY', zone: 'Europe/Pariss' },
    '"Europe/Pariss" is not a time zone; write it like Europe/Paris, UTC or +01:00.',
  ],
])('a mapping with date: %j is refused with a reason', (args, message) => {
  expect(accepts('date', args)).toBe(false);
  const result = STEPS.find(({ name }) => name === 'date')?.args.safeParse(args);
  expect(JSON.stringify(result?.error?.issues)).toContain(JSON.stringify(message).slice(1, -1));
});
