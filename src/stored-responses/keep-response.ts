import type { Loose } from '../model-providers/codecs/read-fields.ts';
import type { Queryable } from '../store/database.ts';
import { KEY_VERSION, sealLargeTurn, sealTurn, toResponseBytes } from './seal-response.ts';
import {
  type AddedInput,
  isResponseBytes,
  type LargeTurn,
  outputOf,
  readItemId,
  type ResponseBytes,
  STORED_ID,
  STORED_LIMITS,
  type StoredKind,
  type StoredOwner,
  type StoredResponse,
} from './stored-response.ts';

/** The stored statuses. A response still in progress can be read only at the provider. */
const ENDED: Readonly<Record<StoredKind, (response: Loose) => boolean>> = {
  response: ({ status }) => status === 'completed' || status === 'incomplete' || status === 'failed',
  message: ({ type }) => type === 'message',
};
/** A turn whose answer contains its own id. */
export type NewTurn = {
  readonly previousId: string | null;
  readonly response: Loose | ResponseBytes;
} & (Pick<StoredResponse, 'input' | 'settings'> | { readonly added: AddedInput });

const INSERT = `
  insert into :schema.stored_response (organization_id, workspace_id, user_id, id, kind, previous_id, item_ids, bytes, output_bytes, ciphertext, iv, auth_tag, output_ciphertext, output_iv, output_auth_tag, key_version)
  select $1, $2, $3, $4, $5, $6, $7::text[], $8, $9, $10, $11, $12, $13, $14, $15, $16
   where not exists (select from :schema.org_policy where organization_id = $1 and require_zdr)
  on conflict (organization_id, id, workspace_id, user_id) do update
     set kind = excluded.kind, previous_id = excluded.previous_id, item_ids = excluded.item_ids, bytes = excluded.bytes, output_bytes = excluded.output_bytes, ciphertext = excluded.ciphertext,
         iv = excluded.iv, auth_tag = excluded.auth_tag, output_ciphertext = excluded.output_ciphertext, output_iv = excluded.output_iv,
         output_auth_tag = excluded.output_auth_tag, key_version = excluded.key_version, created_at = now()`;

/**
 * Stores an answer that has ended, whichever way. False if it is not a response or is larger than a conversation may
 * be.
 */
export async function keepResponse(
  { db, wrappingKey }: { readonly db: Queryable; readonly wrappingKey: Buffer },
  owner: StoredOwner,
  kind: StoredKind,
  turn: NewTurn,
): Promise<boolean> {
  const { previousId, response } = turn;
  const head = isResponseBytes(response) ? response.head : response;
  const { id } = head;
  if (typeof id !== 'string' || !STORED_ID.test(id) || !ENDED[kind](head)) return false;
  const sealed =
    'added' in turn || isResponseBytes(response)
      ? await sealLargeTurn(wrappingKey, owner, kind, asLarge(id, turn))
      : sealTurn(wrappingKey, owner, kind, {
          ...turn,
          id,
          response: kind === 'response' ? { ...response, store: true, previous_response_id: previousId } : response,
        });
  const { turn: asked, output, bytes, outputBytes } = sealed;
  if (bytes > STORED_LIMITS.conversationBytes) return false;
  const { rowCount } = await db.query(INSERT, [
    owner.organizationId,
    owner.workspaceId,
    owner.userId,
    id,
    kind,
    previousId,
    isResponseBytes(response) ? response.itemIds : outputOf({ response }).flatMap((item) => readItemId(item) ?? []),
    bytes,
    outputBytes,
    asked.ciphertext,
    asked.iv,
    asked.authTag,
    output.ciphertext,
    output.iv,
    output.authTag,
    KEY_VERSION,
  ]);
  return rowCount > 0;
}

function asLarge(id: string, turn: NewTurn): LargeTurn {
  const { previousId, response } = turn;
  const added =
    'added' in turn
      ? turn.added
      : { input: toJson(turn.input), ...(turn.settings ? { settings: toJson(turn.settings) } : {}) };
  return { id, previousId, added, response: isResponseBytes(response) ? response : toResponseBytes(response) };
}

const toJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
