// The table of data against the schema, and erasing on a database in which every table is filled: nothing of the subject
// is found but what the table says stays, and nothing of anybody else has changed.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Database } from '../store/database.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { dropValueChecks, fillTables, type Owners, readColumns } from '../../test/support/fill-tables.ts';
import { DATA, type DataRow, OF_THE_SERVICE, type Subject, SUBJECTS } from './data-table.ts';
import { eraseSubject, type Erasing } from './erase-subject.ts';

const TABLES = Object.entries<DataRow>(DATA);
/** Columns by which a row belongs to a subject. */
const BELONGS: Readonly<Record<Subject, readonly string[]>> = {
  person: [
    'user_id',
    'created_by',
    'added_by',
    'shared_by',
    'accepted_by',
    'invited_by',
    'authorized_by',
    'updated_by',
  ],
  organization: ['organization_id'],
  workspace: ['workspace_id'],
};

async function open(): Promise<Database> {
  const db = await openTestDatabase();
  onTestFinished(() => db.close());
  return db;
}

it('names every table of the schema once, and says of each whose it is', async () => {
  const db = await open();
  const columns = await readColumns(db);
  const tables = [...new Set(columns.map(({ table }) => table))];
  expect([...Object.keys(DATA), ...Object.keys(OF_THE_SERVICE)].sort()).toEqual(tables.sort());
  const unsaid = columns.flatMap(({ table, column }) =>
    SUBJECTS.filter((subject) => BELONGS[subject].includes(column))
      .filter(
        (subject) =>
          !(table in OF_THE_SERVICE) && (DATA as Record<string, DataRow>)[table]?.erases[subject] === undefined,
      )
      .map((subject) => `${table}.${column}: what does erasing the ${subject} do?`),
  );
  expect(unsaid).toEqual([]);
});

it('says that a table goes with another only where a foreign key does it', async () => {
  const db = await open();
  const { rows } = await db.query<{ pair: string }>(
    `select conrelid::regclass::text || ' ' || confrelid::regclass::text as pair from pg_constraint
      where connamespace = to_regnamespace($1) and contype = 'f' and confdeltype = 'c'`,
    [db.schema],
  );
  const cascades = new Set(rows.map(({ pair }) => pair.replaceAll(`${db.schema}.`, '').replaceAll('"', '')));
  const claimed = TABLES.flatMap(([table, { erases }]) =>
    Object.values(erases).flatMap((todo) => (todo && 'goesWith' in todo ? [`${table} ${todo.goesWith}`] : [])),
  );
  expect(claimed.filter((pair) => !cascades.has(pair))).toEqual([]);
});

it.each(SUBJECTS)('erases one %s, and leaves everybody else alone', async (subject) => {
  const db = await open();
  await dropValueChecks(db);
  const data = await mkdtemp(join(tmpdir(), 'erasing-'));
  onTestFinished(() => rm(data, { recursive: true }));
  const [gone, other] = [owners('a'), owners('b')];
  for (const each of [gone, other]) {
    await fillTables(db, Object.keys(DATA), each, {
      spend_cap: {
        kind: subject === 'workspace' ? 'workspace' : 'member',
        subject_id: each[subject === 'organization' ? 'person' : subject],
      },
      job: { task: null },
      project: { sharing: 'private' },
      ...namesOf(each),
    });
    await mkdir(join(data, 'artifacts', `job_${each.person}`), { recursive: true });
    await writeFile(join(data, 'artifacts', `job_${each.person}`, 'result.txt'), each.mark);
  }
  const before = await find(db, other.mark);
  expect(await find(db, gone.mark), 'every table is filled').toHaveLength(before.length);
  // A workspace has gone before what is left of it is erased.
  if (subject === 'workspace') await db.query('delete from :schema.workspace where id = $1', [gone.workspace]);

  const kills = await eraseKilled({ db, dataDirectory: data }, subject, gone[subject]);
  expect(kills, 'it was killed after each of its steps').toBeGreaterThan(4);
  const erasing = { db, dataDirectory: data, signal: new AbortController().signal };
  expect(await eraseSubject(erasing, subject, gone[subject]), 'a second time').toBe(true);

  expect(await find(db, other.mark)).toEqual(before);
  expect(await readdir(join(data, 'artifacts'))).toEqual([`job_${other.person}`]);
  if (subject === 'person')
    expect(
      (await db.query('select objective, result from :schema.job where created_by = $1', [gone.person])).rows,
    ).toEqual([{ objective: '', result: null }]);
  const named = subject === 'person' ? await find(db, nameOf(gone)) : [];
  expect(named, 'neither a name nor an address is left').toEqual([]);
  const left = new Set((await find(db, gone.mark)).map(({ table }) => table));
  const mayStay = TABLES.filter(
    ([, { erases }]) => !erases[subject] || 'stays' in erases[subject] || clearsOnly(erases[subject]),
  );
  expect([...left].filter((table) => !mayStay.some(([name]) => name === table))).toEqual([]);
});

it('waits for runs that have not ended', async () => {
  const db = await open();
  await dropValueChecks(db);
  const gone = owners('a');
  await fillTables(db, ['identity_user', 'organization', 'job'], gone, { job: { ended_at: null } });
  const erasing = { db, dataDirectory: tmpdir(), signal: new AbortController().signal };
  expect(await eraseSubject(erasing, 'person', gone.person)).toBe(false);
  expect(await find(db, gone.mark)).toHaveLength(3);
});

/** Killed after its first step and begun again, then after its second, and so on, until it gets through. */
async function eraseKilled(deps: Pick<Erasing, 'db' | 'dataDirectory'>, kind: Subject, id: string): Promise<number> {
  for (let kills = 0; ; kills++) {
    const killing = new AbortController();
    let left = kills;
    const signal = {
      throwIfAborted: () => {
        if (left-- === 0) killing.abort();
        killing.signal.throwIfAborted();
      },
    } as AbortSignal;
    const done = await eraseSubject({ ...deps, signal }, kind, id).catch((error: unknown) => {
      if (killing.signal.aborted) return 'killed';
      throw error;
    });
    if (done === true) return kills;
    expect(done).toBe('killed');
  }
}

const nameOf = ({ person }: Owners): string => `jo-of-${person}@example.test`;

/** Columns that hold the name of a person or their address, beside content. */
function namesOf(owners: Owners): Record<string, Record<string, string>> {
  const name = nameOf(owners);
  return {
    identity_user: { name, email: name },
    identity_account: { account_id: name },
    identity_link: { email: name },
    invitation: { email: name },
    prompt: { created_by_name: name },
    project_file: { added_by: name },
    removed_name: { name },
  };
}

const owners = (name: string): Owners => ({
  person: `usr_${name}`,
  organization: `org_${name}`,
  workspace: `wsp_${name}`,
  mark: `written-by-${name}`,
});

const clearsOnly = (todo: DataRow['erases'][Subject]): boolean =>
  Array.isArray(todo) && todo.every((step) => 'clears' in (step as object));

/** Every row that holds the mark, as text. */
async function find(db: Database, mark: string): Promise<{ table: string; row: string }[]> {
  const found: { table: string; row: string }[] = [];
  const hex = Buffer.from(mark).toString('hex');
  for (const table of [...Object.keys(DATA), ...Object.keys(OF_THE_SERVICE)]) {
    const { rows } = await db.query<{ row: string }>(
      `select t::text as row from :schema.${table} t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%'`,
      [mark, hex],
    );
    found.push(...rows.map(({ row }) => ({ table, row })));
  }
  return found;
}
