/** Columns whose digits can be checked, recognised by their names. */
export interface CheckedColumns {
  /** Indexes of columns with GTINs. */
  readonly gtins: readonly number[];
  readonly postcodes: readonly { readonly at: number; readonly country: number }[];
}

const GTIN =
  /\b(?:gtin|ean|upc|isbn|jan)(?: ?(?:8|1[0234]|a))?\b|\bbar ?codes?\b|\bcodes? (?:a )?barres?\b|\bcodice a barre\b|\bc[oó]digo de barras\b|\bstrichcode\b|\bstreepjescode\b/;
const POSTCODE =
  /\b(?:zip|post ?code|postal code|plz|postleitzahl|code postal|c[oó]digo postal|codice postale)\b/;
const COUNTRY = /\b(?:country|pays|land|pa[ií]s|paese)\b/;

/** `isRead` says for each column if it is used. */
export function checkedColumns(header: readonly string[], isRead: readonly boolean[]): CheckedColumns {
  const names = header.map(plain);
  const at = (pattern: RegExp) => names.flatMap((name, index) => (pattern.test(name) ? [index] : []));
  const countries = at(COUNTRY);
  return {
    gtins: at(GTIN).filter((index) => isRead[index]),
    postcodes: at(POSTCODE)
      .filter((index) => isRead[index])
      .flatMap((zip) => {
        const country = nearest(names, zip, countries);
        return country === undefined ? [] : [{ at: zip, country }];
      }),
  };
}

/**
 * Finds the column with the longest common beginning, then the nearest: `Default Address Zip` belongs to `Default
 * Address Country Code`, not to `Billing Country`.
 */
function nearest(names: readonly string[], to: number, among: readonly number[]): number | undefined {
  const shared = (index: number) => commonStart(names[to] ?? '', names[index] ?? '');
  return [...among].sort((a, b) => shared(b) - shared(a) || Math.abs(a - to) - Math.abs(b - to))[0];
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** Turns `_address_postcode`, `Address.Zip` and `Variant Barcode` into words. */
function plain(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
