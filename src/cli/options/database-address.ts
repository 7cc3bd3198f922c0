/** The password in an address of Postgres, as it is written there; undefined without one. */
function writtenPassword(address: string): string | undefined {
  const [, ofUser] = /^[a-z]+:\/\/[^/?#@]*?:([^/?#]*)@/i.exec(address) ?? [];
  const [, ofQuery] = /[?&]password=([^&#]*)/i.exec(address) ?? [];
  return ofUser || ofQuery || undefined;
}

export function hasPassword(address: string): boolean {
  return writtenPassword(address) !== undefined;
}

/** The address with this password. Unchanged if its form has no place for one: then Postgres's own rules apply. */
export function withPassword(address: string, password: string): string {
  const url = new URL(address);
  url.password = encodeURIComponent(password);
  return url.href;
}

/** Texts that must not be shown: the address, and its password as it is written and as it is meant. */
export function databaseSecrets(address: string): string[] {
  const written = writtenPassword(address);
  if (written === undefined) return [];
  return [address, written, decoded(written)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
