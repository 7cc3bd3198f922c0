import { join } from 'node:path';
import { existsSync, relative } from '../../model/files/fs.ts';
import { ConfigError, type JsonObject, packageFile, printedCommand, shellWord } from '../../model/index.ts';
import { CONFIG_FILE } from '../../options/index.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import type { CommandContext } from '../context.ts';
import { FROM_FILE } from '../io.ts';
import { paintCommands } from '../output/colour.ts';
import { scriptCall, stepLines } from '../output/first-steps.ts';
import { temporaryHome } from '../temporary-home.ts';
import { countReferences, orderLines, type RecordsOf, SHOP_COLLECTIONS } from './references.ts';

export interface ShopDemo {
  /** Folder for the reports of the imports. It exists. */
  readonly out: string;
  readonly progress: boolean;
}

/** One call of a command: its words, and the context with the environment that it must use. */
export type CallCommand = (words: readonly string[], context: CommandContext) => Promise<number>;

/** Runs a command in this process, with the variables of the given context in place of those of the process. */
const callCommand: CallCommand = async (words, context) => {
  const run = await context.commandOf(words, context.environment);
  return run(context);
};

/**
 * Imports the shop of `samples/shop` into a new sandbox and shows what the store has. Resolves with the exit code of the
 * migration.
 */
export async function demoShop(
  demo: ShopDemo,
  context: CommandContext,
  call: CallCommand = callCommand,
): Promise<number> {
  // Not the home of the user: it knows stores by their addresses, and another sandbox may have had the same one.
  const own = temporaryHome(context);
  try {
    const { startSandbox } = await import('../../sandbox/index.ts');
    const sandbox = await startSandbox({ journal: false });
    try {
      return await moveShop({ ...demo, home: own.home }, sandbox, context, call);
    } finally {
      await sandbox.close();
    }
  } finally {
    own.remove();
  }
}

async function moveShop(
  { out, progress, home }: ShopDemo & { readonly home: string },
  sandbox: Sandbox,
  context: CommandContext,
  call: CallCommand,
): Promise<number> {
  const { terminal, json } = context;
  const say = (line = '') => (json ? undefined : terminal.out(line, paintCommands));
  const plan = packageFile('samples', 'shop', 'plan.yaml');
  const shown = shellWord(pathFromHere(plan));
  say('Hello! This is storeport. It moves a whole shop into a store, on this machine only.');
  say();
  say(`1. A store      A sandbox store is open at ${sandbox.url}: the whole API, in memory.`);
  say(`2. A plan       ${shown} names the files of a shop, and the order to import them in.`);
  say(`3. A migration  ${printedCommand('migrate', [pathFromHere(plan)], { sandbox: true })}`);
  say();
  const printed: string[] = [];
  const exitCode = await call(
    [
      ...['migrate', plan, '--yes', '--home', home, '--out', out],
      // On the command line, so that no file of this folder can name another store.
      ...['--base-url', sandbox.url, '--client-id', sandbox.clientId],
      ...(progress ? [] : ['--no-progress']),
      ...(json ? ['--json'] : []),
    ],
    {
      ...context,
      environment: withoutSettings(context.environment),
      terminal: {
        ...terminal,
        // Not shown, as in the other demo: its summary is enough.
        note: () => {},
        // Not by a variable: its origin would be a `.env` in this folder, and warnings would be about that file.
        askSecret: async () => sandbox.clientSecret,
        ...(json ? { out: (text: string) => void printed.push(text) } : {}),
      },
    },
  );
  const recordsOf: RecordsOf = (collection) => sandbox.records(collection) as JsonObject[];
  const counts = SHOP_COLLECTIONS.map((name) => [name, sandbox.count(name)] as const);
  const references = countReferences(recordsOf);
  if (json) {
    const migration = JSON.parse(printed.at(-1) ?? 'null');
    const store = Object.fromEntries(counts);
    terminal.out(JSON.stringify({ migration, store, references, exit_code: exitCode }));
    return exitCode;
  }
  say();
  const had = `The store has ${listed(counts.map(([name, count]) => `${count} ${name}`))}.`;
  if (exitCode !== 0) {
    say(`4. The result   The migration ended with the exit code ${exitCode}. ${had}`);
    return exitCode;
  }
  say(`4. The result   ${had}`);
  say(`                ${referenceText(references)}`);
  say('                One of its orders, with the records that its ids lead to:');
  say();
  for (const line of orderLines(recordsOf)) say(`  ${line}`);
  say();
  say(`Look at it, in ${out}/`);
  say('  report.html   the migration as a page: open it in a browser');
  say();
  say('Then try');
  for (const line of stepLines(nextSteps(plan), scriptCall(context.io.script))) say(line);
  return exitCode;
}

function nextSteps(plan: string): (readonly [string, string])[] {
  const migrate = (file: string) => printedCommand('migrate', [pathFromHere(file)], { sandbox: true });
  return [
    [migrate(plan), 'the same by yourself, to a store that ends with the command'],
    [migrate(join(plan, '..', 'plan-with-mistakes.yaml')), 'a shop in which references lead nowhere'],
    ['storeport --help', 'all commands'],
  ];
}

function referenceText({ total, dangling }: { total: number; dangling: number }): string {
  return dangling === 0
    ? `All ${total} references in them are ids of records that the store has.`
    : `${dangling} of the ${total} references in them are ids that no record of the store has.`;
}

/** The shorter way to write a path: from the working directory if the file is in it, else absolute. */
function pathFromHere(path: string): string {
  const inside = relative('', path);
  return inside.startsWith('..') ? path : inside;
}

/** `a, b and c`. */
function listed(texts: readonly string[]): string {
  return `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}

/** Leaves out all settings of storeport: they describe the stores of the user, and how to import into these. */
function withoutSettings(environment: CommandContext['environment']): CommandContext['environment'] {
  const others = Object.entries(environment).filter(([name]) => !name.startsWith('STOREPORT_'));
  return { ...Object.fromEntries(others), [FROM_FILE]: environment[FROM_FILE] };
}

/**
 * Throws ConfigError if the configuration file describes another API. The sandbox has that of the document, so each record
 * would be refused.
 */
export async function refuseOtherApi(): Promise<void> {
  if (!existsSync(CONFIG_FILE)) return;
  const { readApi } = await import('../options/config.ts');
  const { placesIn } = await import('../../resources/index.ts');
  const places = placesIn(readApi(undefined));
  if (places.length === 0) return;
  throw new ConfigError(
    `${CONFIG_FILE} in this folder changes the API (${places.join(', ')}), but the store of the demo has the documented one.`,
    ['Run the demo in another folder.'],
  );
}
