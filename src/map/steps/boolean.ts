import * as z from 'zod';
import { defineStep, quoted } from './step.ts';

/** Words for yes and no on platforms and in languages, in lower case. */
const WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  vrai: true,
  wahr: true,
  verdadero: true,
  verdadeiro: true,
  vero: true,
  yes: true,
  y: true,
  '1': true,
  '+': true,
  on: true,
  oui: true,
  si: true,
  sí: true,
  sì: true,
  j: true,
  ja: true,
  sim: true,
  tak: true,
  так: true,
  да: true,
  ano: true,
  áno: true,
  igen: true,
  kyllä: true,
  evet: true,
  da: true,
  ya: true,
  có: true,
  ναι: true,
  כן: true,
  はい: true,
  是: true,
  예: true,
  ใช่: true,
  نعم: true,
  false: false,
  faux: false,
  falsch: false,
  falso: false,
  no: false,
  n: false,
  '0': false,
  '-': false,
  off: false,
  non: false,
  nein: false,
  não: false,
  nao: false,
  nej: false,
  nie: false,
  ні: false,
  нет: false,
  ne: false,
  nem: false,
  ei: false,
  hayır: false,
  όχι: false,
  לא: false,
  いいえ: false,
  否: false,
  아니오: false,
  아니요: false,
  không: false,
  ไม่ใช่: false,
  ไม่: false,
  nu: false,
  tidak: false,
  لا: false,
};

/** True for a yes, false for a no. */
export const BOOLEAN_WORDS: ReadonlyMap<string, boolean> = new Map(Object.entries(WORDS));

const words = z.array(z.union([z.string(), z.number(), z.boolean()]).transform(String)).default([]);
const own = z.strictObject({ yes: words, no: words });
const args = z.union([z.literal(true), own]);
type Args = z.infer<typeof args>;

export const boolean = defineStep<Args>({
  name: 'boolean',
  doc:
    'Reads yes or no: TRUE/FALSE, yes/no, y/n, 1/0, on/off, and the words of other languages. `yes` and `no` list words ' +
    'of your own, which are tried first.',
  args,
  makes: 'boolean',
  examples: [
    { args: true, in: 'TRUE', out: true },
    { args: true, in: 'no', out: false },
    { args: true, in: 'Oui', out: true },
    { args: true, in: '+', out: true },
    { args: true, in: '0', out: false },
    { args: true, in: 'maybe', issue: 'not-yes-or-no' },
    { args: { yes: ['notify'], no: ['-1'] }, in: 'Notify', out: true },
    { args: { yes: ['notify'], no: ['-1'] }, in: '-1', out: false },
    { args: { yes: ['notify'], no: ['-1'] }, in: '1', out: true },
  ],
  make(given) {
    const { yes, no } = given === true ? { yes: [], no: [] } : given;
    const table = new Map([
      ...BOOLEAN_WORDS,
      ...yes.map((word): [string, boolean] => [word.toLowerCase(), true]),
      ...no.map((word): [string, boolean] => [word.toLowerCase(), false]),
    ]);
    const [first, other] = [yes[0] ?? 'TRUE', no[0] ?? 'FALSE'];
    return (text, addIssue) =>
      table.get(text.toLowerCase()) ??
      addIssue('not-yes-or-no', `${quoted(text)} is neither yes nor no; write ${first} or ${other}`);
  },
});
