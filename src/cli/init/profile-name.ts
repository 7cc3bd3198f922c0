const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u;

/** Says what a profile may be called. */
export const PROFILE_NAMES =
  'A profile has a name of letters, digits, dots, dashes and underscores, which begins with a letter or a digit.';

/** True for names that need no quotes in a shell and in YAML, and that can be part of a file name. */
export function isProfileName(name: string): boolean {
  return NAME.test(name);
}

/** Parts of host names that say nothing about a shop. */
const COMMON: ReadonlySet<string> = new Set(['www', 'api', 'app', 'admin', 'backend', 'shop', 'store']);

/** The name for a store at this address: `https://api.lamps.example.com` → `lamps`. */
export function profileNameFor(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  if (isAddress || hostname === 'localhost') return 'local';
  const labels = hostname.split('.');
  // The last label is the top-level domain.
  const own = labels.slice(0, Math.max(1, labels.length - 1));
  return own.find((label) => !COMMON.has(label) && isProfileName(label)) ?? 'store';
}
