// What organizations from before the migration are taken for: whose they are, and that their founders had their credit.
import { expect, inject, it } from 'vitest';
import { MIGRATIONS, newSchemaName, quiet } from '../../test/support/database.ts';
import { addPerson } from '../../test/support/people.ts';
import { openDatabase } from '../store/database.ts';
import { migrate, readMigrations } from '../store/migrate.ts';
import { createOrganization } from './create-organization.ts';

it('an organization belongs to its founder, who gets no second signup credit', async () => {
  const db = await openDatabase({
    url: inject('postgresUrl'),
    schema: newSchemaName(),
    poolMax: 2,
    applicationName: 'test',
    log: quiet,
  });
  const migrations = await readMigrations(MIGRATIONS);
  await migrate(
    db,
    migrations.slice(
      0,
      migrations.findIndex(({ name }) => name.endsWith('_organizations.sql')),
    ),
  );
  const [founder, joined] = [await addPerson(db), await addPerson(db)];
  for (const id of ['org_1', 'org_2']) {
    await db.transaction(async (tx) => {
      await tx.query(
        "insert into :schema.organization (id, slug, name, plan, signup_credit_micros) values ($1, $2, 'x', 'free', 5000000)",
        [id, id.replace('_', '-')],
      );
      await tx.query(
        "insert into :schema.organization_member (organization_id, user_id, role) values ($1, $2, 'owner')",
        [id, founder.id],
      );
    });
    await db.query(
      "insert into :schema.organization_member (organization_id, user_id, role) values ($1, $2, 'owner')",
      [id, joined.id],
    );
  }
  await migrate(db, migrations);
  expect(
    (await db.query('select id, created_by, signup_credit_micros as credit from :schema.organization order by id'))
      .rows,
  ).toEqual(['org_1', 'org_2'].map((id) => ({ id, created_by: founder.id, credit: 5_000_000 })));
  expect((await db.query('select user_id, organization_id from :schema.signup_credit_grant')).rows).toEqual([
    { user_id: founder.id, organization_id: 'org_1' },
  ]);
  const credit = async (userId: string): Promise<unknown> => {
    const { organization } = await createOrganization(db, userId, { name: 'Another' });
    return (
      await db.query<{ credit: number }>(
        'select signup_credit_micros as credit from :schema.organization where id = $1',
        [organization.id],
      )
    ).rows[0]?.credit;
  };
  expect(await credit(founder.id)).toBe(0);
  expect(await credit(joined.id)).toBe(5_000_000);
  await db.close();
});
