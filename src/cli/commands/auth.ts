import { STORE_OPTIONS } from '../../options/index.ts';
import { resourcesFor } from '../options/api.ts';
import { type ConnectArguments, connectToStore } from '../store.ts';
import { obtainToken, tokenLines } from '../token.ts';
import type { Command } from './command.ts';

export const authCheckCommand: Command<ConnectArguments> = {
  usage: 'check',
  summary: 'Obtain a token and show until when it is valid; no secret is shown',
  options: STORE_OPTIONS,
  async run(args, context) {
    const interrupted = context.onInterrupt();
    const connection = await connectToStore(args, context, await resourcesFor(args, context));
    const { validUntil, storeId } = await obtainToken(connection, interrupted);
    if (context.json)
      context.terminal.out(
        JSON.stringify({
          base_url: connection.baseUrl,
          token: 'obtained',
          expires_at: validUntil ?? null,
          store_id: connection.storeId ?? storeId ?? null,
          exit_code: 0,
        }),
      );
    else context.terminal.out(tokenLines({ validUntil, storeId }).join('\n'));
    return 0;
  },
};
