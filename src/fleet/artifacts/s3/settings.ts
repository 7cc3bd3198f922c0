import { ConfigError } from '../../../model/index.ts';
import type { ObjectStoreOptions } from '../types.ts';

/** How a bucket is reached. */
export interface BucketSettings {
  readonly bucket: string;
  /** URL of the bucket, without `/` at its end. */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

const DEFAULT_REGION = 'us-east-1';

/** Throws ConfigError if a setting is missing or wrong. The error has no value of a setting. */
export function bucketSettings(
  bucket: string,
  { env, endpoint: wanted, region: wantedRegion }: ObjectStoreOptions,
): BucketSettings {
  const region = wantedRegion || env.AWS_REGION || env.AWS_DEFAULT_REGION || DEFAULT_REGION;
  if (!/^[a-z0-9-]{1,64}$/.test(region))
    throw new ConfigError('The region of the object store is not valid.');
  const endpoint = wanted || env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL;
  return {
    bucket,
    url: endpoint ? `${endpointUrl(endpoint)}/${bucket}` : amazonUrl(bucket, region),
    region,
    accessKeyId: needed(env.AWS_ACCESS_KEY_ID, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: needed(env.AWS_SECRET_ACCESS_KEY, 'AWS_SECRET_ACCESS_KEY'),
    sessionToken: env.AWS_SESSION_TOKEN || undefined,
  };
}

function needed(value: string | undefined, name: string): string {
  if (value) return value;
  throw new ConfigError(`${name} is not set, which an object store (s3://…) needs.`);
}

function endpointUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable =
    (url?.protocol === 'https:' || url?.protocol === 'http:') &&
    `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (!url || !isUsable)
    throw new ConfigError('The endpoint of the object store is not a URL that can be used.', [
      'It looks like https://s3.example.com, without a user name or a query.',
    ]);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** A bucket with dots in its name has no certificate of its own. */
function amazonUrl(bucket: string, region: string): string {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return bucket.includes('.')
    ? `https://s3.${region}.${domain}/${bucket}`
    : `https://${bucket}.s3.${region}.${domain}`;
}
