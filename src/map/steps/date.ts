import * as z from 'zod';
import { createDateReader, formatProblem } from './formats/date-format.ts';
import { createZone, isZone } from './formats/time-zone.ts';
import { defineStep, quoted } from './step.ts';

const format = z.string().superRefine((text, context) => {
  const problem = formatProblem(text);
  if (problem !== undefined) context.addIssue(problem);
});
const zone = z.string().superRefine((name, context) => {
  if (!isZone(name))
    context.addIssue(`"${name}" is not a time zone; write it like Europe/Paris, UTC or +01:00.`);
});
const formats = z.union([format, z.array(format).min(1)]);
const whole = z.strictObject({
  format: formats.optional(),
  zone: zone.default('UTC'),
  as: z.enum(['time', 'date']).default('time'),
});
const args = z.union([z.literal(true), formats, whole]);
type Args = z.input<typeof args>;

/** Formats with the year first, which can be read in one way only. */
const SURE = ['YYYY-MM-DD', 'YYYY-MM-DD HH:mm', 'YYYY-MM-DD HH:mm:ss'].flatMap((text) =>
  text === 'YYYY-MM-DD'
    ? [text, 'YYYY/MM/DD']
    : [text, text.replace(' ', 'T')].flatMap((each) => [each, `${each}Z`, `${each} Z`]),
);
const FRACTIONS = ['YYYY-MM-DDTHH:mm:ss.SSSZ', 'YYYY-MM-DD HH:mm:ss.SSS'];

/** Numeric date without a declared order of day and month. */
const UNDECLARED = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?!\d)/;

export const date = defineStep<Args>({
  name: 'date',
  doc:
    'Reads a date and writes it as ISO 8601. `true` takes dates with the year first, such as 2024-11-22 or 2024-11-22 ' +
    '12:43:11 -0500; others need a format, or a list of formats, made of YYYY, YY (2000 to 2099), MM, M, MMM, MMMM (the month in English), ' +
    'DD, D, HH, H, hh, h, mm, ss, SSS, A (AM or PM) and Z (-05:00, -0500 or Z). Which of two numbers is the day is never ' +
    'guessed. `zone` is the time zone of times without an offset, UTC if left out. `as: date` leaves out the time.',
  args: args as unknown as z.ZodType<Args>,
  makes: 'text',
  examples: [
    { args: true, in: '2024-11-22', out: '2024-11-22T00:00:00Z' },
    { args: true, in: '2024-11-22 12:43:11 -0500', out: '2024-11-22T12:43:11-05:00' },
    { args: true, in: '03/04/2024', issue: 'ambiguous-date' },
    { args: 'DD/MM/YYYY', in: '03/04/2024', out: '2024-04-03T00:00:00Z' },
    { args: ['M/D/YYYY h:mm A', 'M/D/YYYY'], in: '3/4/2024 5:30 PM', out: '2024-03-04T17:30:00Z' },
    {
      args: { format: 'DD.MM.YYYY', zone: 'Europe/Paris' },
      in: '01.07.2024',
      out: '2024-07-01T00:00:00+02:00',
    },
    { args: { format: 'D MMM YYYY', as: 'date' }, in: '5 Jan 2024', out: '2024-01-05' },
    { args: 'DD/MM/YYYY', in: '31/02/2024', issue: 'not-a-date' },
    { args: true, in: 'soon', issue: 'not-a-date' },
    {
      args: { format: 'YYYY-MM-DD HH:mm', zone: 'Europe/Paris' },
      in: '2024-03-31 02:30',
      issue: 'not-a-date',
    },
  ],
  make(given) {
    const isWhole = typeof given === 'object' && !Array.isArray(given);
    const options = whole.parse(isWhole ? given : given === true ? {} : { format: given });
    const sure = options.format === undefined;
    const shown = [options.format ?? SURE.slice(0, 1)].flat();
    const readers = (sure ? [...SURE, ...FRACTIONS] : shown).map(createDateReader);
    const inZone = createZone(options.zone);
    return (text, addIssue) => {
      const wrong = (why: string) => addIssue('not-a-date', `${quoted(text)} ${why}`);
      let impossible = false;
      for (const read of readers) {
        const clock = read(text);
        impossible ||= clock === 'impossible';
        if (clock === undefined || clock === 'impossible') continue;
        if (options.as === 'date') return clock.local.slice(0, 10);
        const offset = clock.offset ?? inZone(clock.local);
        if (offset !== undefined) return clock.local + offset;
        return wrong(`is a time that clocks in ${options.zone} skip`);
      }
      if (impossible) return wrong('is a day or a time that does not exist');
      if (sure && UNDECLARED.test(text))
        return addIssue(
          'ambiguous-date',
          `${quoted(text)} does not say which number is the day: name the format in the mapping, such as date: DD/MM/YYYY`,
        );
      return wrong(`is not a date; write it like ${shown.join(' or ')}`);
    };
  },
});
