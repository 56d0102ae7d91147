// A stream can be read by members of its workspace, with a token that is not bound to another workspace or
// organization. A stream that may not be read and one that does not exist give the same 404.
import { AppError } from '../base/errors.ts';
import type { Projection } from '../receipts/verify-stream.ts';
import type { Queryable } from '../store/database.ts';
import { findMembership } from '../tenancy/members/find-membership.ts';
import { runProjection } from './find-run-head.ts';
import { runOfStream, workspaceOfConnectStream } from './stream-names.ts';

export interface Reader {
  readonly userId: string;
  readonly organizationId?: string | undefined;
  readonly workspaceId?: string | undefined;
}

/** Returns the stream's projection, if it has one: verification checks the chain against it. */
export async function assertReadableStream(
  db: Queryable,
  reader: Reader,
  stream: string,
): Promise<Projection | undefined> {
  const runId = runOfStream(stream);
  if (runId !== undefined) return getRunProjection(db, reader, runId);
  const workspaceId = workspaceOfConnectStream(stream);
  if (workspaceId === undefined || reader.organizationId === undefined) throw new AppError('not_found');
  if (reader.workspaceId !== undefined && reader.workspaceId !== workspaceId) throw new AppError('not_found');
  const membership = await findMembership(db, {
    userId: reader.userId,
    organizationId: reader.organizationId,
    workspaceId,
  });
  if (!membership?.isWorkspaceMember) throw new AppError('not_found');
  return undefined;
}

const RUN_HEAD = `
select j.head_idx, j.head_hash from :schema.job j
join :schema.member_workspace w on w.workspace_id = j.workspace_id and w.organization_id = j.organization_id and w.user_id = $2
where j.id = $1 and j.organization_id = $3 and ($4::text is null or j.workspace_id = $4) and w.is_member`;

async function getRunProjection(db: Queryable, reader: Reader, runId: string): Promise<Projection> {
  const { rows } = await db.query<{ head_idx: number; head_hash: Buffer }>(RUN_HEAD, [
    runId,
    reader.userId,
    reader.organizationId ?? null,
    reader.workspaceId ?? null,
  ]);
  const [row] = rows;
  if (!row) throw new AppError('not_found');
  return runProjection(db, runId, { index: row.head_idx, hash: row.head_hash });
}
