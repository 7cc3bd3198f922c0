import { isAbsolute } from 'node:path';
import { ConfigError } from '../../model/index.ts';

/** A place that a location names. */
export type FilePlace =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: string; readonly key: string }
  | { readonly kind: 'web'; readonly url: URL };

const EXAMPLES = 'It is an absolute path, s3://bucket/key, or https://example.com/file.';

/** Reads a location. No error repeats it, since it may contain a password or be signed. */
export function readLocation(location: string): FilePlace {
  if (/^s3:/i.test(location)) return s3Place(location);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(location)) return webPlace(location);
  if (isAbsolute(location) && !location.includes('\0')) return { kind: 'path', path: location };
  throw new ConfigError('A location of a file is neither an absolute path nor an address.', [EXAMPLES]);
}

/** Keys may contain ? and #, so this is not parsed as a URL. */
function s3Place(location: string): FilePlace {
  const [, authority = '', key = ''] = /^s3:\/\/([^/]*)\/?(.*)$/is.exec(location) ?? [];
  if (authority.includes('@'))
    throw new ConfigError('A location in an object store contains a user name or password; remove it.', [
      'The keys are read from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    ]);
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(authority))
    throw new ConfigError('A location in an object store has no valid name of a bucket.', [
      'It looks like s3://bucket/prefix.',
    ]);
  return { kind: 's3', bucket: authority, key: key.replace(/\/+$/, '') };
}

function webPlace(location: string): FilePlace {
  const url = URL.canParse(location) ? new URL(location) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new ConfigError('A location of a file is not an address that can be used.', [EXAMPLES]);
  if (url.username !== '' || url.password !== '')
    throw new ConfigError('The address of a file contains a user name or password; remove it.', [
      'Use a signed address, or an object store.',
    ]);
  url.hash = '';
  return { kind: 'web', url };
}
