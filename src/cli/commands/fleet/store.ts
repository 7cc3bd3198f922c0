import { ConfigError } from '../../../model/index.ts';
import {
  POSITIVE,
  SEND_OPTIONS,
  STORE_OPTIONS,
  type ValueSyntax,
  withoutDefaults,
} from '../../../options/index.ts';
import type { CommandContext } from '../../context.ts';
import { givenSettings, profileOf, type StoreArguments } from '../../options/settings.ts';
import type { Command } from '../command.ts';
import { DATABASE_OPTIONS, type DatabaseArguments } from './database.ts';
import { type Fleet, withFleet } from './open-fleet.ts';
import { tableText } from './table-text.ts';

type FleetStore = Awaited<ReturnType<Fleet['listStores']>>[number];
type NewStore = Parameters<Fleet['addStore']>[1];

interface StoreAddArguments extends DatabaseArguments, StoreArguments {
  readonly name: string;
  readonly secret?: string | undefined;
  readonly tag: readonly string[];
  readonly rate?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly timeout?: string | undefined;
  readonly giveUpAfter?: string | undefined;
  readonly inDoubt?: 'hold' | 'resend' | undefined;
  readonly rateKey?: string | undefined;
  readonly sharedRate?: number | undefined;
}

const SECRET_PLACE: ValueSyntax = {
  words:
    'env:NAME or file:/path, by which workers find the client secret; never the secret itself, which others would see',
  read: (text) => (/^(?:env:[A-Za-z_]\w*|file:\/.+)$/.test(text.trim()) ? text.trim() : undefined),
};

const { sandbox: _sandbox, profile: _profile, ...STORE } = STORE_OPTIONS;

/** One of the stores, by its name. */
export const STORE_NAME = { name: { describe: 'Name of the store' } } as const;

export const fleetStoreAddCommand: Command<StoreAddArguments> = {
  usage: 'add <name>',
  summary: 'Add a store, with a reference to its secret',
  positionals: STORE_NAME,
  options: {
    secret: {
      topic: 'fleet',
      syntax: SECRET_PLACE,
      describe: 'Where workers find the client secret: env:NAME or file:/path',
      isSecret: true,
    },
    tag: {
      topic: 'fleet',
      array: true,
      default: [] as string[],
      describe: 'Tag, by which --stores tag:NAME selects stores; may be repeated',
    },
    'rate-key': {
      topic: 'sending',
      describe: 'Stores with the same key share one limit, such as those of one host',
    },
    'shared-rate': {
      topic: 'sending',
      type: 'number',
      syntax: POSITIVE,
      describe: 'The limit of the key, requests a second of all its stores',
    },
    ...withoutDefaults({ ...SEND_OPTIONS, ...STORE }),
    ...DATABASE_OPTIONS,
  },
  mainOptions: [
    'base-url',
    'client-id',
    'secret',
    'store-id',
    'tag',
    'rate',
    'rate-key',
    'shared-rate',
    'concurrency',
    'timeout',
    'database',
    'json',
  ],
  examples: [
    [
      '$0 fleet store add paris --base-url https://paris.example.com --client-id abc --secret env:PARIS_SECRET',
      'Workers read the secret from their variable PARIS_SECRET',
    ],
    [
      '$0 fleet store add lyon --profile lyon --secret file:/run/secrets/lyon --tag batch7',
      'With the address of a profile',
    ],
  ],
  async run(args, context) {
    const store = await newStore(args, context);
    return withFleet(args, context, async (fleet, sql) => {
      const added = await fleet.addStore(sql, store);
      const { terminal, json } = context;
      terminal.out(
        json
          ? JSON.stringify(shownStore(added))
          : `The store "${added.name}" is added: ${added.baseUrl}. Workers find its secret in ${added.settings.secret}.`,
      );
      return 0;
    });
  },
};

async function newStore(args: StoreAddArguments, { environment }: CommandContext): Promise<NewStore> {
  const { name, secret, rateKey, sharedRate, rate, concurrency, timeout, giveUpAfter, inDoubt } = args;
  const { setting } = await givenSettings(args, environment);
  const needed = { 'base-url': setting('base-url')?.value, 'client-id': setting('client-id')?.value, secret };
  const missing = Object.entries(needed).flatMap(([option, value]) => (value ? [] : [`--${option}`]));
  if (missing.length > 0)
    throw new ConfigError(`A store needs ${missing.join(' and ')}.`, [
      'The secret is given as a reference, --secret env:NAME or --secret file:/path: each worker reads it there.',
    ]);
  const storeId = setting('store-id')?.value;
  const plain = {
    storeId,
    rate,
    concurrency,
    timeout,
    giveUpAfter,
    inDoubt,
    api: await apiOf(args, environment),
  };
  return {
    name,
    baseUrl: needed['base-url'] as string,
    tags: args.tag,
    rateKey,
    sharedRate,
    settings: {
      clientId: needed['client-id'],
      secret,
      ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
    } as NewStore['settings'],
  };
}

/** The differences of the store from its API document, if a profile is named. */
async function apiOf(args: StoreAddArguments, environment: CommandContext['environment']) {
  const profile = profileOf(args, environment);
  if (profile === undefined) return undefined;
  const { readApi } = await import('../../options/config.ts');
  const api = readApi(profile);
  return Object.keys(api).length === 0 ? undefined : api;
}

interface SelectionArguments extends DatabaseArguments {
  readonly stores?: string | undefined;
}

/** Selects stores. */
export const STORES_OPTION = {
  stores: {
    topic: 'selection',
    describe: 'all, a name, or tag:NAME; several with commas between',
  },
} as const;

export const fleetStoreListCommand: Command<SelectionArguments> = {
  usage: 'list',
  summary: 'Stores, with their limits, the worker that holds each, and the work that waits',
  options: { ...STORES_OPTION, ...DATABASE_OPTIONS },
  run(args, context) {
    return withFleet(args, context, async (fleet, sql) => {
      const { terminal, json } = context;
      const stores = await fleet.listStores(sql, args.stores ?? 'all');
      if (json) terminal.out(JSON.stringify(stores.map(shownStore)));
      else if (stores.length === 0)
        terminal.out('There are no stores yet. To add one: storeport fleet store add --help');
      else terminal.out(storesText(stores));
      return 0;
    });
  },
};

export const fleetStoreRemoveCommand: Command<DatabaseArguments & { readonly name: string }> = {
  usage: 'remove <name>',
  summary: 'Remove a store that has no work left; its ledger stays',
  positionals: STORE_NAME,
  options: DATABASE_OPTIONS,
  run(args, context) {
    return withFleet(args, context, async (fleet, sql) => {
      await fleet.removeStore(sql, args.name);
      const { terminal, json } = context;
      terminal.out(
        json
          ? JSON.stringify({ removed: args.name })
          : `The store "${args.name}" is removed. Its ledger stays: added again with the same address, it is known as before.`,
      );
      return 0;
    });
  },
};

function storesText(stores: readonly FleetStore[]): string {
  const rows = stores.map(
    ({ name, baseUrl, tags, settings, rateKey, sharedRate, holder, queued, running, isReviewed }) => [
      name,
      baseUrl,
      tags.join(' ') || '-',
      limitText(settings.rate, rateKey, sharedRate),
      String(queued),
      String(running),
      `${holder ?? '-'}${isReviewed ? '' : '  (not reviewed since a backup was restored)'}`,
    ],
  );
  return tableText(['store', 'address', 'tags', 'rate', 'queued', 'running', 'worker'], rows);
}

function limitText(own: number | undefined, key: string | null, shared: number | null): string {
  const parts = [
    ...(own === undefined ? [] : [`${own}/s`]),
    ...(key === null ? [] : [`${key}${shared === null ? '' : ` ${shared}/s`}`]),
  ];
  return parts.join(', ') || '-';
}

/** A store in JSON. `secret` is a reference, and `number` begins the keys of its files. */
function shownStore({ name, baseUrl, tags, settings, rateKey, sharedRate, ...store }: FleetStore): object {
  const { addedAt: added_at, isReviewed: reviewed, holder: worker, queued, running, number } = store;
  return {
    ...{ name, number, base_url: baseUrl, tags, settings, rate_key: rateKey, shared_rate: sharedRate },
    ...{ reviewed, added_at, worker, queued, running },
  };
}
