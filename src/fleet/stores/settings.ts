import * as z from 'zod';
import { ConfigError, durationIn, milliseconds } from '../../model/index.ts';
import { apiOverrides } from '../../resources/index.ts';

const duration = z
  .string()
  .refine((value) => durationIn(value) !== undefined, 'a duration such as 500ms, 30s, 15m or 2h');

/** `env:NAME` is a variable of the worker; `file:/path` is a file that the worker can read. */
const SECRET_REFERENCE = /^(env:[A-Za-z_][A-Za-z0-9_]*|file:\/.+)$/;

/** Variables that hold secrets of the fleet itself. A store must not get them. */
const OWN_VARIABLES = /^env:(STOREPORT_(DATABASE|FLEET)|AWS_|PG)/i;

const settings = z.strictObject({
  clientId: z.string().trim().min(1, 'text that is not empty'),
  secret: z
    .string()
    .regex(SECRET_REFERENCE, 'env:NAME or file:/path, since the secret itself must not be in the database')
    .refine((text) => !OWN_VARIABLES.test(text), 'a variable that holds no secret of the fleet itself'),
  storeId: z.string().trim().min(1, 'text that is not empty').optional(),
  rate: z.number().positive('a number above 0').optional(),
  concurrency: z.int('a whole number').min(1, 'at least 1').max(1000, 'at most 1000').optional(),
  timeout: duration.optional(),
  giveUpAfter: duration.optional(),
  inDoubt: z.enum(['hold', 'resend'], 'hold or resend').optional(),
  api: apiOverrides.optional(),
});

/** Plain settings of a store, as a profile of the plain command line has them. The secret is a reference. */
export type FleetSettings = z.infer<typeof settings>;

/** The settings in JSON. Throws ConfigError for what is wrong, without repeating values: one may be a secret in the wrong place. */
export function fleetSettings(value: unknown): FleetSettings {
  const parsed = settings.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    'The settings of the store are wrong.',
    parsed.error.issues.map(({ path, message, code, ...issue }) => {
      const place = path.join('.') || 'settings';
      if (code === 'unrecognized_keys' && 'keys' in issue) return `${place} has no ${String(issue.keys)}.`;
      return `${place} must be ${message}.`;
    }),
  );
}

/** Deadline of a request to a store. */
export function requestTimeoutMs({ timeout = '30s' }: FleetSettings): number {
  return milliseconds(timeout);
}
