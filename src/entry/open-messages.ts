// How the worker-control role sends the messages of subscriptions.
import type { Context } from '@resonatehq/sdk';
import { SEND_MESSAGE, type SendArgument } from '../runs/delivery/dispatch-messages.ts';
import { deliverMessage, type DeliveryOutcome } from '../subscriptions/deliver-message.ts';
import { createMessageSender } from '../subscriptions/send-message.ts';
import type { RoleDeps } from './role-deps.ts';

export interface Messages {
  readonly name: typeof SEND_MESSAGE;
  send(context: Context, argument: SendArgument): Promise<{ readonly outcome: DeliveryOutcome | 'taken' }>;
  close(): Promise<void>;
}

/** Undefined in the other roles, and without a key. */
export function openMessages({ config, db, role, meter }: RoleDeps): Messages | undefined {
  const wrappingKey = config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64;
  if (role !== 'worker-control' || !wrappingKey) return undefined;
  const stopping = new AbortController();
  const sender = createMessageSender({ allowPrivateUrls: config.SERVICE_ALLOW_PRIVATE_URLS });
  const deps = {
    db,
    wrappingKey,
    sender,
    onOutcome: (outcome: DeliveryOutcome) => meter?.count('service_messages_total', [outcome]),
  };
  return {
    name: SEND_MESSAGE,
    send: async (_context, argument) => ({
      outcome: (await deliverMessage(deps, argument, stopping.signal)) ?? 'taken',
    }),
    async close() {
      stopping.abort(new Error('the worker is stopping'));
      await sender.close();
    },
  };
}
