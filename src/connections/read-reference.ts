import { AppError } from '../base/errors.ts';
import type { Connection, Reference } from './connection-types.ts';
import { unsealReference } from './seal-reference.ts';

/** What the connection's payload holds. A payload that does not open is a refusal, never an absent connection. */
export function readReference(wrappingKey: Buffer | undefined, connection: Connection): Reference {
  const reference = wrappingKey && unsealReference(wrappingKey, connection, connection.sealed);
  if (!reference) throw new AppError('connection_undecryptable', { connection: connection.id });
  return reference;
}

export function requireWrappingKey(wrappingKey: Buffer | undefined): Buffer {
  if (!wrappingKey) throw new AppError('connections_not_configured');
  return wrappingKey;
}
