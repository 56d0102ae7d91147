// Who may read a stream: members of the workspace it belongs to, through a token that is not bound to another
// workspace or organization. A stream that may not be read and one that does not exist are the same 404.
import { AppError } from '../base/errors.ts';
import type { Queryable } from '../store/database.ts';
import { findStanding } from '../tenancy/find-standing.ts';
import { workspaceOfConnectStream } from './stream-names.ts';

export interface Reader {
  readonly userId: string;
  readonly organizationId?: string | undefined;
  readonly workspaceId?: string | undefined;
}

export async function assertReadableStream(db: Queryable, reader: Reader, stream: string): Promise<void> {
  const workspaceId = workspaceOfConnectStream(stream);
  if (workspaceId === undefined || reader.organizationId === undefined) throw new AppError('not_found');
  if (reader.workspaceId !== undefined && reader.workspaceId !== workspaceId) throw new AppError('not_found');
  const standing = await findStanding(db, { userId: reader.userId, organizationId: reader.organizationId, workspaceId });
  if (!standing?.isWorkspaceMember) throw new AppError('not_found');
}
