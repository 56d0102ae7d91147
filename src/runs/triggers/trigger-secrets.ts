// What deliveries are signed with: made by us or given by the sender, sealed with the trigger's id as context, and shown
// to nobody again. The one before counts for a day more, so that both sides can change without losing a delivery.
import { randomBytes } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { seal, unseal } from '../../base/seal.ts';
import { TRIGGER_LIMITS, TRIGGER_SOURCES, type TriggerSource } from '../../contract/standing/trigger-rules.ts';
import type { Queryable, Transaction } from '../../store/database.ts';
import { decodeWebhookSecret } from './verify-delivery.ts';

export const secretContext = (triggerId: string, id: string): string[] => ['trigger_secret', triggerId, id];

export interface NewSecret {
  readonly secret: string;
  /** Ours is shown once, to the person who asked for it. */
  readonly made: boolean;
}

/** Undefined if the sender has to give one and has not yet. */
export function chooseSecret(source: TriggerSource, given: string | undefined): NewSecret | undefined {
  if (given !== undefined) {
    requireUsableSecret(source, given);
    return { secret: given, made: false };
  }
  return TRIGGER_SOURCES[source].secretFrom === 'us' ? { secret: makeSecret(source), made: true } : undefined;
}

function makeSecret(source: TriggerSource): string {
  const bytes = randomBytes(32);
  return source === 'standard-webhooks' ? `whsec_${bytes.toString('base64')}` : bytes.toString('base64url');
}

function requireUsableSecret(source: TriggerSource, secret: string): void {
  if (secret.trim() !== secret || !/^[\x21-\x7e]+$/.test(secret))
    throw new AppError('invalid_request', {
      secret: 'has characters that a secret does not have: paste it as it was shown',
    });
  const decodes = source === 'standard-webhooks' || (source === 'gitlab' && secret.startsWith('whsec_'));
  if (decodes && decodeWebhookSecret(secret) === undefined)
    throw new AppError('invalid_request', { secret: 'is not whsec_ and 24 to 64 bytes in base64' });
}

export function requireSealingKey(key: Buffer | undefined): Buffer {
  if (!key) throw new AppError('connections_not_configured');
  return key;
}

const MOST_OLD = 4;

/** The one that counts now, if there is one, counts for a day more. */
export async function replaceSecret(tx: Transaction, key: Buffer, triggerId: string, secret: string): Promise<void> {
  await tx.query(
    `update :schema.trigger_secret set ends_at = now() + interval '${TRIGGER_LIMITS.hours} hours' where trigger_id = $1 and ends_at is null`,
    [triggerId],
  );
  await tx.query(
    `delete from :schema.trigger_secret where trigger_id = $1 and (ends_at <= now() or id not in (
       select id from :schema.trigger_secret where trigger_id = $1 order by id desc limit ${MOST_OLD}))`,
    [triggerId],
  );
  const id = newId('sec');
  const { ciphertext, iv, authTag } = seal(key, secret, secretContext(triggerId, id));
  await tx.query(
    'insert into :schema.trigger_secret (id, trigger_id, ciphertext, iv, auth_tag, created_at) values ($1, $2, $3, $4, $5, now())',
    [id, triggerId, ciphertext, iv, authTag],
  );
}

interface SecretRow extends Record<string, unknown> {
  id: string;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

/** Those that count now, the newest first. One that does not open with this key is no secret. */
export async function readSecrets(on: Queryable, key: Buffer, triggerId: string): Promise<string[]> {
  const { rows } = await on.query<SecretRow>(
    'select id, ciphertext, iv, auth_tag from :schema.trigger_secret where trigger_id = $1 and (ends_at is null or ends_at > now()) order by id desc',
    [triggerId],
  );
  return rows.flatMap(({ id, ciphertext, iv, auth_tag: authTag }) => {
    const secret = unseal(key, { ciphertext, iv, authTag }, secretContext(triggerId, id));
    return secret === undefined ? [] : [secret];
  });
}

export interface SecretState {
  readonly current: boolean;
  readonly oldUntil: Date | undefined;
}

export async function readSecretStates(
  on: Queryable,
  triggerIds: readonly string[],
): Promise<ReadonlyMap<string, SecretState>> {
  const { rows } = await on.query<{ trigger_id: string; current: boolean; old_until: Date | null }>(
    `select trigger_id, bool_or(ends_at is null) as current, max(ends_at) filter (where ends_at > now()) as old_until
       from :schema.trigger_secret where trigger_id = any($1) group by trigger_id`,
    [triggerIds],
  );
  return new Map(rows.map((row) => [row.trigger_id, { current: row.current, oldUntil: row.old_until ?? undefined }]));
}
