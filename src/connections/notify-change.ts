import type { Database, Queryable } from '../store/database.ts';
import { notify } from '../store/listen.ts';

/** Published at commit when the connections of a workspace change; the value is the workspace's id. */
export const CONNECTIONS_TOPIC = 'connections';

export function notifyChange(on: Queryable, db: Pick<Database, 'schema'>, workspaceId: string): Promise<unknown> {
  return notify(on, db, CONNECTIONS_TOPIC, workspaceId);
}
