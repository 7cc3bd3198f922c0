import { RunStopped } from '../../model/index.ts';
import { whenInterrupted } from '../context.ts';
import { resourcesFor } from '../options/api.ts';
import { STORE_OPTIONS } from '../options/options.ts';
import { type ConnectArguments, connect } from '../store.ts';
import type { Command } from './command.ts';

export const authCheckCommand: Command<ConnectArguments> = {
  usage: 'check',
  summary: 'Obtain a token and show until when it is valid; no secret is shown',
  options: STORE_OPTIONS,
  async run(args, context) {
    const interrupted = context.onInterrupt();
    const connection = await connect(args, context, await resourcesFor(args, context));
    whenInterrupted(interrupted, () => {
      connection.client.stop(new RunStopped('interrupted', 'Interrupted before the store gave a token.'));
      void connection.client.close();
    });
    try {
      const { expiresAt, storeId } = await connection.client.authenticate();
      const until = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
      if (context.json)
        context.terminal.out(
          JSON.stringify({
            base_url: connection.baseUrl,
            token: 'obtained',
            expires_at: until ?? null,
            store_id: connection.storeId ?? storeId ?? null,
            exit_code: 0,
          }),
        );
      else
        context.terminal.out(
          [
            `The store accepted the credentials. The token ${until ? `is valid until ${until}` : 'does not say how long it is valid'}.`,
            ...(storeId === undefined ? [] : [`Store id: ${storeId}`]),
          ].join('\n'),
        );
      return 0;
    } finally {
      await connection.close();
    }
  },
};
