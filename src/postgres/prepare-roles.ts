// Gives a running cluster its two roles. An older cluster has one, the superuser that initdb created, under the name
// that the service still uses: it cannot lose its rights, so it is renamed, and a new role with the old name and
// password takes over everything it owned. Every step checks what is left to do, because the power may fail after any
// of them.
import pg from 'pg';
import { type DatabaseAccount, ADMIN_USER, APPLICATION_USER, DATABASE } from './accounts.ts';
import { tryLogIn, withSession } from './log-in.ts';

export interface Accounts {
  readonly application: DatabaseAccount;
  readonly admin: DatabaseAccount;
}

/** A cluster with one role was created by an older version. */
export type ClusterForm = 'two roles' | 'one role';

export type Cluster =
  | { readonly state: 'open'; readonly directory: string; readonly form: ClusterForm }
  | { readonly state: 'closed' | 'refused' };

/** A session cannot rename its own role, so another role does it, once. */
const RENAMER = 'service_renamer';
const TIMEOUT_MS = 60_000;

/** For data-only restores. It adds no rights: the owner of a table can disable its triggers anyway. */
const TRIGGERS_OFF = `grant set on parameter session_replication_role to ${APPLICATION_USER}`;

export async function tryCluster(port: number, { application, admin }: Accounts): Promise<Cluster> {
  const now = await tryLogIn(port, admin);
  if (now.state === 'open') return { ...now, form: 'two roles' };
  if (now.state === 'closed') return now;
  const before = await tryLogIn(port, application);
  return before.state === 'open' ? { ...before, form: 'one role' } : before;
}

export async function prepareRoles(port: number, accounts: Accounts, form: ClusterForm): Promise<void> {
  const { admin, application } = accounts;
  const session = <T>(
    account: DatabaseAccount,
    database: string,
    work: (client: pg.Client) => Promise<T>,
  ): Promise<T> => withSession(port, account, { database, timeoutMs: TIMEOUT_MS }, work);
  if (form === 'one role') {
    const renamer = { user: RENAMER, password: admin.password };
    await session(application, DATABASE, (client) =>
      client.query(
        `drop role if exists ${RENAMER}; create role ${RENAMER} superuser login password ${pg.escapeLiteral(admin.password)}`,
      ),
    );
    // Statements in one query string are one transaction: the new name never has the old password.
    await session(renamer, DATABASE, (client) =>
      client.query(
        `alter role ${APPLICATION_USER} rename to ${ADMIN_USER}; alter role ${ADMIN_USER} password ${pg.escapeLiteral(admin.password)}`,
      ),
    );
  }
  const databases = await session(admin, DATABASE, async (client) => {
    const { rows } = await client.query<{ has: boolean; carrying: boolean }>(
      `select to_regrole('${APPLICATION_USER}') is not null as has, to_regrole('${RENAMER}') is not null as carrying`,
    );
    const [{ has, carrying } = { has: false, carrying: false }] = rows;
    await client.query(
      `${has ? 'alter' : 'create'} role ${APPLICATION_USER} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password ${pg.escapeLiteral(application.password)}; ${TRIGGERS_OFF}`,
    );
    return (await client.query<{ name: string }>(FOREIGN_DATABASES, [carrying])).rows.map(({ name }) => name);
  });
  for (const name of databases)
    await session(admin, name, (client) =>
      client.query(`${HAND_OVER}; alter database ${pg.escapeIdentifier(name)} owner to ${APPLICATION_USER}`),
    );
  await session(admin, DATABASE, (client) => client.query(`drop role if exists ${RENAMER}`));
}

/** The service's own; in an older cluster also every other database created by the old role. */
const FOREIGN_DATABASES = `
  select datname as name from pg_database
  where datdba = 10 and datallowconn and not datistemplate and (datname = '${DATABASE}' or $1)
  order by datname = '${DATABASE}'`;

// REASSIGN OWNED refuses the role that initdb created (OID 10), because it also owns the catalogs.
const HAND_OVER = `
do $$
declare
  statement text;
begin
  for statement in
    with own as (select oid from pg_namespace where nspname <> 'information_schema' and nspname !~ '^pg_'),
    of_extension as (select classid, objid from pg_depend where deptype = 'e')
    select format('alter schema %I owner to ${APPLICATION_USER}', nspname) from pg_namespace natural join own where nspowner = 10
    union all
    select format('alter table %s owner to ${APPLICATION_USER}', c.oid::regclass) from pg_class c join own on own.oid = c.relnamespace
     where c.relowner = 10 and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
       -- The sequence of a column goes with its table.
       and not (c.relkind = 'S' and exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and refclassid = 'pg_class'::regclass and deptype in ('a', 'i')))
       and ('pg_class'::regclass, c.oid) not in (select classid, objid from of_extension)
    union all
    select format('alter routine %s owner to ${APPLICATION_USER}', p.oid::regprocedure) from pg_proc p join own on own.oid = p.pronamespace
     where p.proowner = 10 and ('pg_proc'::regclass, p.oid) not in (select classid, objid from of_extension)
    union all
    select format('alter type %s owner to ${APPLICATION_USER}', t.oid::regtype) from pg_type t join own on own.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
     where t.typowner = 10 and (t.typtype in ('d', 'e', 'r') or c.relkind = 'c') and ('pg_type'::regclass, t.oid) not in (select classid, objid from of_extension)
  loop
    execute statement;
  end loop;
end $$`;
