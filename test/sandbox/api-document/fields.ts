/** Types in the notation of the API document, and what it leaves open. */
export type Type =
  | 'string'
  | 'URL'
  | 'number'
  | 'int'
  | 'bool'
  | 'date'
  | 'object'
  | 'array'
  /** Fields or items "not shown". */
  | 'open object'
  | 'open object or null'
  | 'open array'
  /** No type is given, and two are possible. */
  | 'string or number'
  /** No type is given. */
  | 'any';

/** One field of the API document. */
export interface Field {
  /** Heading or sentence of the document that lists it. */
  readonly section: string;
  /** Dotted, as refusals name it; `0` is every item of a list: `options.0.values.0.value1`. */
  readonly path: string;
  readonly type: Type;
  readonly isRequired: boolean;
  /** The only values, if the document lists them all. */
  readonly values?: readonly string[];
}

/** `['type', 'string', 'required', ['fixed_amount', 'percentage']]` */
export type Row = readonly [path: string, type: Type, ...rules: ('required' | readonly string[])[]];

export function fields(section: string, rows: readonly Row[]): Field[] {
  return rows.map(([path, type, ...rules]) => {
    const values = rules.find((rule) => rule !== 'required');
    return { section, path, type, isRequired: rules.includes('required'), ...(values && { values }) };
  });
}

/** Fields of an object with a section of its own, at its path in a resource. */
export function inside(path: string, shape: readonly Field[]): Field[] {
  return shape.map((field) => ({ ...field, path: `${path}.${field.path}` }));
}

/** Path of the object or list that contains a field; empty for the record itself. */
export function parentOf(path: string): string {
  return path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '';
}

/** Names of the fields of the object at `path`. */
export function namesIn(all: readonly Field[], path: string): string[] {
  return all.filter((field) => parentOf(field.path) === path).map((field) => lastOf(field.path));
}

export function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** Rows for `test.each`: each with a title such as `Product › price.salePrice (number)`. */
export function titled<F extends Pick<Field, 'section' | 'path' | 'type'>>(
  cases: readonly F[],
): [string, F][] {
  return cases.map((each) => [`${each.section} › ${each.path} (${each.type})`, each]);
}
