// Stored responses of a person, opened one at a time. Those sealed under a key that is gone cannot be read by anybody.
import type { Queryable } from '../../store/database.ts';
import { readStored } from '../../stored-responses/read-stored.ts';
import { readRows } from './read-rows.ts';

const OWN = {
  columns: 't.id',
  where: `t.organization_id in (select m.organization_id from :schema.organization_member m where m.user_id = $1)
    and t.user_id = $1 and t.kind <> 'deleted'`,
  key: ['t.organization_id', 't.id', 't.workspace_id'],
};

export async function* exportResponses(
  db: Queryable,
  wrappingKey: Buffer | undefined,
  userId: string,
): AsyncGenerator<{ readonly id: string; readonly json: readonly Uint8Array[] }> {
  if (!wrappingKey) return;
  for await (const page of readRows(db, 'stored_response', OWN, [userId]))
    for (const { key } of page) {
      const [organizationId = '', id = '', workspaceId = ''] = key;
      const owner = { organizationId, workspaceId, userId };
      const [stored] = await readStored(db, wrappingKey, owner, { whole: [id], outputs: [] });
      if (stored)
        yield {
          id,
          json: [Buffer.from('{"turn":'), stored.turn, Buffer.from(',"output":'), stored.output, Buffer.from('}\n')],
        };
    }
}
