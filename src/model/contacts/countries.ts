/** Codes of the countries and territories that have phone numbers, by ISO 3166-1; XK, AC and TA are in common use. */
export const COUNTRY_CODES: readonly string[] = (
  'AC AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS ' +
  'MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO RS RU ' +
  'RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ ' +
  'UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
).split(' ');

const CODES: ReadonlySet<string> = new Set(COUNTRY_CODES);

/** The code in capitals; undefined for any other text. */
export function countryCode(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return CODES.has(code) ? code : undefined;
}

/** Words for `countryCode`, as in "it takes …". */
export const COUNTRY_WORDS = `the code of a country by ISO 3166-1, such as DE or US: one of ${COUNTRY_CODES.join(', ')}`;

/** Names that Unicode does not list. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  CZ: ['czech republic'],
  GB: ['uk', 'u.k.', 'great britain', 'england', 'scotland', 'wales', 'northern ireland'],
  GR: ['el'],
  NL: ['holland', 'the netherlands'],
  RU: ['russian federation'],
  US: ['usa', 'u.s.a.', 'u.s.', 'united states of america'],
};

/** Languages in which shops name countries. */
const LANGUAGES_OF_NAMES = [
  ...['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'cs', 'sk', 'hu', 'ro', 'uk', 'ru'],
  ...['sv', 'da', 'nb', 'fi', 'el', 'tr'],
];

// Made on first use and once per process: few files have names of countries, and it takes some 50 ms.
let codesByName: ReadonlyMap<string, string | undefined> | undefined;

/** Reads the code of a country, or its name in one of twenty languages; undefined if it is unknown. */
export function countryNamed(text: string): string | undefined {
  const code = countryCode(text);
  if (code !== undefined) return code;
  codesByName ??= namesOfCountries();
  return codesByName.get(text.trim().toLowerCase());
}

/** Names in lower case; undefined for a name that two countries share. */
function namesOfCountries(): ReadonlyMap<string, string | undefined> {
  const codes = new Map<string, string | undefined>();
  for (const language of LANGUAGES_OF_NAMES) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of COUNTRY_CODES) {
      const name = names.of(code)?.toLowerCase();
      if (name !== undefined) codes.set(name, codes.has(name) && codes.get(name) !== code ? undefined : code);
    }
  }
  for (const [code, names] of Object.entries(OTHER_NAMES)) for (const name of names) codes.set(name, code);
  return codes;
}
