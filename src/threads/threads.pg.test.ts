import { expect, onTestFinished, test } from 'vitest';
import { countReads } from '../../test/support/count-reads.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { addOrganization, addPerson } from '../../test/support/people.ts';
import { listThreads } from './threads.ts';

test('the first page of a person with many threads reads little more than the page', async () => {
  const db = await openTestDatabase({ poolMax: 1 });
  onTestFinished(() => db.close());
  const person = await addPerson(db);
  const { id: organizationId, defaultId } = await addOrganization(db, person);
  await db.query(
    `insert into :schema.chat_thread (id, organization_id, workspace_id, user_id, title, updated_at, pinned_at, archived_at)
     select 'thr_' || lpad(n::text, 6, '0'), $1, $2, $3, 'x', now() - n * interval '1 minute',
            case when n = 1500 then now() end, case when n = 1 then now() end
       from generate_series(1, 2000) n`,
    [organizationId, defaultId, person.id],
  );
  await db.query('analyze :schema.chat_thread');
  const counted = countReads(db, 'chat_thread');
  const page = { userId: person.id, organizationId, limit: 20 } as const;
  for (const workspace of [undefined, 'default'])
    for (let again = 0; again < 8; again++) {
      const threads = await listThreads(counted, { ...page, workspace, show: 'active' });
      expect(threads.map(({ id }) => id).slice(0, 3)).toEqual(['thr_001500', 'thr_000002', 'thr_000003']);
      expect(counted.rowsRead()).toBeLessThan(50);
    }
  expect(await listThreads(db, { ...page, workspace: 'global', show: 'all' })).toEqual([]);
});
