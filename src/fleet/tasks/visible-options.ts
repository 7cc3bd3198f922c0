import { type Json, type JsonObject, shownLocation } from '../../model/index.ts';

/** The options of a task as they may be shown: locations without credentials and queries, and no text of a mapping. */
export function visibleOptions({ mappingText: _, ...options }: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, shownValue(value)]));
}

function shownValue(value: Json): Json {
  if (typeof value === 'string') return shownLocation(value);
  return Array.isArray(value) ? value.map(shownValue) : value;
}

/** The same options without what signs the addresses of their files; undefined if none is signed. */
export function withoutSignatures(options: JsonObject): JsonObject | undefined {
  const { files } = options;
  if (!Array.isArray(files)) return undefined;
  const shown = files.map(shownValue);
  return shown.some((file, index) => file !== files[index]) ? { ...options, files: shown } : undefined;
}
