// Replaces a wrapping key: everything encrypted with the old one, in the variable that the operator names, is encrypted
// with the new one, in the service's own variable.
import { completeEnvironment, type Config, readConfig } from '../../base/config.ts';
import { rewrapConnections } from '../../connections/rewrap-connections.ts';
import { rewrapKeys } from '../../keys/rewrap-keys.ts';
import type { Database } from '../../store/database.ts';
import { rewrapMail } from '../../mail/rewrap-mail.ts';
import { openStorage } from '../../store/open-storage.ts';
import type { Rewrapped, WrappingKeys } from '../../store/rewrap-rows.ts';
import { rewrapSubscriptions } from '../../subscriptions/rewrap-subscriptions.ts';
import { rewrapEnvironments } from '../../runs/environments/rewrap-environments.ts';
import { rewrapTriggers } from '../../runs/triggers/rewrap-triggers.ts';
import { rewrapResponses } from '../../stored-responses/rewrap-responses.ts';
import { createLog } from '../../telemetry/log.ts';
import { OperatorError } from './operator-error.ts';

interface Wrapped {
  readonly variable: 'BYOK_ENCRYPTION_KEY_B64' | 'SERVICE_CONNECTION_ENCRYPTION_KEY_B64';
  readonly rewrap: (db: Database, keys: WrappingKeys) => Promise<Readonly<Record<string, Rewrapped>>>;
}

const WRAPPED = {
  keys: { variable: 'BYOK_ENCRYPTION_KEY_B64', rewrap: rewrapKeys },
  connections: {
    variable: 'SERVICE_CONNECTION_ENCRYPTION_KEY_B64',
    async rewrap(db, keys) {
      const connections = await rewrapConnections(db, keys);
      if (connections === undefined)
        throw new OperatorError(
          'neither key is the one that connections are stored with',
          'Check both variables, and that SERVICE_DB_SCHEMA names the schema of this deployment; nothing was changed.',
        );
      return {
        connections,
        storedResponses: await rewrapResponses(db, keys),
        mail: await rewrapMail(db, keys),
        subscriptions: await rewrapSubscriptions(db, keys),
        ...(await rewrapTriggers(db, keys)),
        environmentSecrets: await rewrapEnvironments(db, keys),
      };
    },
  },
} as const satisfies Record<string, Wrapped>;

export async function rewrap(what: keyof typeof WRAPPED, from: string): Promise<Readonly<Record<string, Rewrapped>>> {
  const { variable, rewrap: run }: Wrapped = WRAPPED[what];
  const config = readConfig();
  const keys = readKeys(config, variable, from);
  const db = await openStorage(
    config,
    'servicectl',
    createLog('servicectl', { ...config, SERVICE_LOG_LEVEL: 'silent' }),
  );
  try {
    return await run(db, keys);
  } finally {
    await db.close();
  }
}

function readKeys(config: Config, variable: Wrapped['variable'], from: string): WrappingKeys {
  const to = config[variable];
  if (to === undefined)
    throw new OperatorError(
      `${variable} is not set`,
      'Set it to the new wrapping key (create one with: openssl rand -base64 32).',
    );
  const old = readOldKey(from);
  if (old.equals(to))
    throw new OperatorError(
      'the old and the new wrapping key are the same',
      `Put the old one into ${from} and the new one into ${variable}.`,
    );
  return { from: old, to };
}

function readOldKey(name: string): Buffer {
  const text = completeEnvironment()[name]?.trim() ?? '';
  const bytes = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
  if (bytes?.length === 32) return bytes;
  throw new OperatorError(
    text === '' ? `${name} is not set` : `${name} takes base64 that decodes to exactly 32 bytes`,
    'Put the old wrapping key there.',
  );
}
