import { isDeepStrictEqual } from 'node:util';
import { Document, isMap, isScalar, parseDocument, type YAMLMap } from 'yaml';
import { existsSync, statSync } from '../../model/files/fs.ts';
import { ConfigError } from '../../model/index.ts';
import { CONFIG_FILE } from '../../options/index.ts';
import { normaliseBaseUrl } from '../../store/base-url.ts';
import { openAtomicFile } from '../../write/index.ts';
import { readSettingsFile } from '../options/settings-file.ts';

/** Settings of a profile as the file names them. */
export interface WrittenProfile {
  readonly 'base-url': string;
  readonly 'client-id': string;
  readonly 'client-secret': string;
  readonly 'store-id'?: string;
}

/** Only the owner may read the file, since it holds a secret. */
const PRIVATE = 0o600;

/**
 * Writes a profile into the configuration file of the working directory, which appears whole or stays as it is. Returns
 * true if others could read the file before. Throws ConfigError if the text cannot be changed safely, and RunStopped if
 * the disk is full.
 */
export async function writeProfile(name: string, profile: WrittenProfile): Promise<{ wasOpen: boolean }> {
  const exists = existsSync(CONFIG_FILE);
  const text = withProfile(exists ? readSettingsFile(CONFIG_FILE) : '', name, profile);
  const wasOpen = exists && process.platform !== 'win32' && (statSync(CONFIG_FILE).mode & 0o077) !== 0;
  const file = await openAtomicFile(CONFIG_FILE, { mode: PRIVATE });
  await file.write(text);
  await file.commit();
  return { wasOpen };
}

const HEADER =
  ' Stores that storeport works with; choose one with --profile NAME. Keep this file out of version control.';

/**
 * Adds a profile to the text of a configuration file, or replaces its address and credentials. All other settings,
 * comments and their order stay. The store id of an earlier profile stays only with its address. Throws ConfigError if
 * another setting would change.
 */
export function withProfile(text: string, name: string, profile: WrittenProfile): string {
  const document = parseDocument(text);
  const before = (document.toJS() ?? {}) as { profiles?: Record<string, Record<string, unknown>> | null };
  if (!isMap(document.contents)) {
    if (text.trim() === '') document.commentBefore = HEADER;
    document.contents = new Document({}).contents as never;
  }
  const profiles = mapAt(document.contents as YAMLMap, 'profiles', document);
  const own = mapAt(profiles, name, document);
  const { 'store-id': storeId, ...others } = profile;
  const isSameStore = addressIn(own) === profile['base-url'];
  for (const [key, value] of Object.entries(others)) own.set(key, value);
  if (storeId !== undefined) own.set('store-id', storeId);
  else if (!isSameStore) own.delete('store-id');

  const { 'store-id': earlierId, ...earlier } = before.profiles?.[name] ?? {};
  const keptId = storeId ?? (isSameStore ? earlierId : undefined);
  const written = { ...earlier, ...others, ...(keptId === undefined ? {} : { 'store-id': keptId }) };
  const expected = { ...before, profiles: { ...before.profiles, [name]: written } };
  const result = document.toString({ lineWidth: 0 });
  if (!isDeepStrictEqual(parseDocument(result).toJS(), expected))
    throw new ConfigError(`${CONFIG_FILE} is written in a way that storeport cannot change safely.`, [
      `Add the profile ${name} by hand; docs/configuration.md shows how it is written.`,
    ]);
  return text.includes('\r\n') ? result.replaceAll('\n', '\r\n') : result;
}

/** The normalised address of a profile; undefined if it has none that can be used. */
function addressIn(profile: YAMLMap): string | undefined {
  try {
    return normaliseBaseUrl(String(profile.get('base-url') ?? ''));
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

/** The map under a key, which is made if there is none. */
function mapAt(parent: YAMLMap, key: string, document: Document): YAMLMap {
  // A name such as 2024 is a number in YAML.
  const pair = parent.items.find((each) => isScalar(each.key) && String(each.key.value) === key);
  if (isMap(pair?.value)) return pair.value;
  const made = document.createNode({}) as YAMLMap;
  if (pair) pair.value = made;
  else parent.add(document.createPair(key, made));
  return made;
}
