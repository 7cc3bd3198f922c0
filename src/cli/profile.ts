import { existsSync, readFileSync, statSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { ConfigError } from '../model/index.ts';

const CONFIG_FILE = 'storeport.config.yaml';

const profile = z.strictObject({
  'base-url': z.string().optional(),
  'client-id': z.string().optional(),
  'client-secret': z.string().optional(),
  'store-id': z.string().optional(),
});
const configFile = z.strictObject({ profiles: z.record(z.string(), profile).default({}) });

/** One store's settings, by the name of its profile. Throws ConfigError. */
export function readProfile(name: string): z.infer<typeof profile> {
  if (!existsSync(CONFIG_FILE))
    throw new ConfigError(`There is no ${CONFIG_FILE} in this folder, so no profile "${name}".`);
  const parsed = configFile.safeParse(parseConfig());
  if (!parsed.success) throw new ConfigError(`${CONFIG_FILE} is not right.`, [z.prettifyError(parsed.error)]);
  const { profiles } = parsed.data;
  const found = profiles[name];
  if (!found) {
    const names = Object.keys(profiles).join(', ') || 'none';
    throw new ConfigError(`${CONFIG_FILE} has no profile "${name}"; it has ${names}.`);
  }
  // Read and write for its owner, nothing for others; Windows has no such bits.
  const readableByOthers = process.platform !== 'win32' && (statSync(CONFIG_FILE).mode & 0o077) !== 0;
  if (found['client-secret'] !== undefined && readableByOthers)
    throw new ConfigError(`${CONFIG_FILE} holds a client secret, but others on this machine can read it.`, [
      `Run: chmod 600 ${CONFIG_FILE}`,
    ]);
  return found;
}

function parseConfig(): unknown {
  try {
    return parseYaml(readFileSync(CONFIG_FILE, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${CONFIG_FILE} cannot be read: ${(error as Error).message}`);
  }
}
