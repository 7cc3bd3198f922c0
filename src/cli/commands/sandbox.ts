import { ConfigError } from '../../model/index.ts';
import { wholeNumber } from '../settings.ts';
import type { Command } from './command.ts';

interface SandboxArguments {
  readonly port: number;
  readonly seed: number;
  readonly tokenLife: number;
}

export const sandboxCommand: Command<SandboxArguments> = {
  usage: 'sandbox',
  summary: 'A complete store on this machine, for trying things out and for tests',
  options: {
    port: { type: 'number', default: 4010, requiresArg: true, describe: 'Port; 0 is any free one' },
    seed: {
      type: 'number',
      default: 0,
      requiresArg: true,
      describe: 'How many reviews, checkouts and images it holds',
    },
    'token-life': {
      type: 'number',
      default: 3600,
      requiresArg: true,
      describe: 'Life of an access token, seconds',
    },
  },
  examples: [['$0 sandbox --seed 500', 'A store with 500 reviews, checkouts and images']],
  async run(args, { terminal, json, onInterrupt }) {
    const interrupted = onInterrupt();
    const { startSandbox } = await import('../../sandbox/index.ts');
    const sandbox = await startSandbox({
      port: wholeNumber('port', args.port, 0, 65_535) ?? 0,
      seed: wholeNumber('seed', args.seed, 0) ?? 0,
      tokenLifeSeconds: wholeNumber('token-life', args.tokenLife, 1) ?? 3600,
      journal: false,
    }).catch((error: Error) => {
      throw new ConfigError(`The sandbox cannot listen on port ${args.port}: ${error.message}.`, [
        'Choose another with --port; 0 is any free one.',
      ]);
    });
    const { url, clientId, clientSecret, storeId } = sandbox;
    // Its credentials are known to everyone and worth nothing elsewhere: they are meant to be copied.
    if (json) terminal.publish(JSON.stringify({ url, clientId, clientSecret, storeId }));
    else
      terminal.publish(
        [
          `The sandbox store listens on ${url} until you press Ctrl-C. To use it, in another terminal:`,
          '',
          `  export STOREPORT_BASE_URL=${url}`,
          `  export STOREPORT_CLIENT_ID=${clientId}`,
          `  export STOREPORT_CLIENT_SECRET=${clientSecret}`,
          '',
          `Its contract: ${url}/openapi.json`,
        ].join('\n'),
      );
    await new Promise((resolve) => interrupted.addEventListener('abort', resolve));
    await sandbox.close();
    return 0;
  },
};
