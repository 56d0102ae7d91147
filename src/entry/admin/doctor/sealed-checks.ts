// Whether stored encrypted data can be decrypted with the keys that are set here.
import { unsealReference } from '../../../connections/stored-reference.ts';
import type { ConnectionKind } from '../../../connections/connection-types.ts';
import { COLUMNS, openRow, type SealedRow } from '../../../stored-responses/read-stored.ts';
import { countUnopened } from '../../../runs/environments/open-secrets.ts';
import { countUndecryptable } from '../../../keys/count-undecryptable.ts';
import { fault, type Finding, ok, warning } from './finding.ts';
import type { Deployment } from './deployment.ts';

const MOST = 1_000;

export async function checkProviderKeys(deployment: Deployment): Promise<Finding[]> {
  const db = await deployment.storage();
  const lost = await countUndecryptable(db, deployment.config.BYOK_ENCRYPTION_KEY_B64);
  if (lost === 0) return [ok('every stored provider key opens')];
  return [
    fault(
      `${lost} stored provider keys or Models accounts do not open with BYOK_ENCRYPTION_KEY_B64`,
      'Each chat turn that would use one fails with provider_key_undecryptable; it never falls back to platform credit.',
      'Set BYOK_ENCRYPTION_KEY_B64 back to the key they were saved under; to change it, put that one into BYOK_ENCRYPTION_KEY_B64_OLD and run: servicectl keys rewrap --from-env. If it is gone, each organization has to enter its keys again.',
    ),
  ];
}

interface ReferenceRow extends Record<string, unknown> {
  organization_id: string;
  workspace_id: string;
  provider: string;
  name: string;
  kind: ConnectionKind;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

export async function checkReferences(deployment: Deployment): Promise<Finding[]> {
  const db = await deployment.storage();
  const key = deployment.config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64;
  const { rows } = await db.query<ReferenceRow>(
    `select organization_id, workspace_id, provider, name, kind, ciphertext, iv, auth_tag from :schema.org_connection_secret limit ${MOST}`,
  );
  const lost = rows.filter((row) => {
    const address = {
      organizationId: row.organization_id,
      workspaceId: row.workspace_id,
      provider: row.provider,
      name: row.name,
      kind: row.kind,
    };
    return !key || !unsealReference(key, address, { ciphertext: row.ciphertext, iv: row.iv, authTag: row.auth_tag });
  }).length;
  if (lost === 0) return [ok('every stored connection opens')];
  return [
    fault(
      `${lost} stored connections do not open with SERVICE_CONNECTION_ENCRYPTION_KEY_B64`,
      'Their tools cannot be called.',
      'Set SERVICE_CONNECTION_ENCRYPTION_KEY_B64 back to the previous key. If it is gone, each app has to be connected again.',
    ),
  ];
}

export async function checkEnvironments(deployment: Deployment): Promise<Finding[]> {
  const db = await deployment.storage();
  const lost = await countUnopened(db, deployment.config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64);
  if (lost === 0) return [ok('every stored secret of an environment opens')];
  return [
    fault(
      `${lost} secrets of environments do not open with SERVICE_CONNECTION_ENCRYPTION_KEY_B64`,
      'Runs in these environments fail with environment_secret_lost.',
      'Set SERVICE_CONNECTION_ENCRYPTION_KEY_B64 back to the previous key. If it is gone, the secrets have to be entered again: servicectl environments secret.',
    ),
  ];
}

const NEWEST = 100;

export async function checkStoredResponses(deployment: Deployment): Promise<Finding[]> {
  const db = await deployment.storage();
  const key = deployment.config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64;
  const { rows } = await db.query<SealedRow & Record<'organization_id' | 'workspace_id' | 'user_id', string>>(
    `select r.organization_id, r.workspace_id, r.user_id, ${COLUMNS} from :schema.stored_response r order by r.created_at desc limit ${NEWEST}`,
  );
  const lost = rows.filter(
    (row) =>
      !key ||
      !openRow(key, { organizationId: row.organization_id, workspaceId: row.workspace_id, userId: row.user_id }, row),
  ).length;
  if (lost === 0) return [ok('the newest stored responses open')];
  return [
    warning(
      `${lost} of the ${rows.length} newest stored responses do not open with SERVICE_CONNECTION_ENCRYPTION_KEY_B64`,
      'Clients that refer to one get "not found" and have to send the conversation again.',
      'Set SERVICE_CONNECTION_ENCRYPTION_KEY_B64 back to the previous key. If it is gone, nothing has to be done: they expire after SERVICE_RESPONSES_RETENTION_DAYS.',
    ),
  ];
}
