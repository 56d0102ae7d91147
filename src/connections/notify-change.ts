import type { Database, Queryable } from '../store/database.ts';
import { notify } from '../store/listen.ts';

/** The topic on which views hear, at commit, that the connections of a workspace changed; its value is the workspace's id. */
export const CONNECTIONS_TOPIC = 'connections';

export function notifyChange(on: Queryable, db: Pick<Database, 'schema'>, workspaceId: string): Promise<unknown> {
  return notify(on, db, CONNECTIONS_TOPIC, workspaceId);
}
