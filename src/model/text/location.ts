/**
 * Returns the location of a file as it may be shown: without user name and password, and without a query, which may be signed.
 * Other texts are returned as they are.
 */
export function shownLocation(location: string): string {
  const [, scheme, authority = '', rest = ''] =
    /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(location) ?? [];
  if (scheme === undefined) return location;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const path = scheme.toLowerCase() === 's3' ? rest : rest.replace(/[?#].*$/s, '');
  return `${scheme}://${host}${path}${path === rest ? '' : '?…'}`;
}
