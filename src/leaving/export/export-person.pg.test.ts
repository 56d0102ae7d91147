// The table of what a person gets against the table of data, and an archive from a database in which every table is
// filled, by two people.
import { inflateRawSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { findDirectory, LOCAL_BYTES, readEntries } from '../../documents/attachments/zip-directory.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { dropValueChecks, fillTables } from '../../../test/support/fill-tables.ts';
import { DATA, type DataRow } from '../data-table.ts';
import { exportPerson, plain } from './export-person.ts';
import { EXPORTS } from './export-table.ts';
import { writeZip } from './write-zip.ts';

it('says of every table in which a person has something whether they get it', () => {
  const theirs = Object.entries<DataRow>(DATA).filter(([, { erases }]) => erases.person);
  expect(Object.keys(EXPORTS).sort()).toEqual(theirs.map(([table]) => table).sort());
});

/** Columns that nobody may read, and that a person does not get of themselves. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  identity_session: ['token', 'provider_session'],
  identity_account: ['password', 'access_token', 'refresh_token', 'id_token'],
  identity_link: ['digest'],
  identity_passkey: ['credential_id'],
  identity_device_code: ['device_code', 'user_code'],
  oauth_request: ['code_challenge', 'state'],
};
const SECRET = 'never-leaves';

it('hands over what is theirs, nothing of anybody else and no secret', async () => {
  const db = await openTestDatabase();
  onTestFinished(() => db.close());
  await dropValueChecks(db);
  for (const name of ['a', 'b']) {
    const owners = {
      person: `usr_${name}`,
      organization: `org_${name}`,
      workspace: `wsp_${name}`,
      mark: `written-by-${name}`,
    };
    await fillTables(db, Object.keys(DATA), owners, {
      ...Object.fromEntries(
        Object.entries(SECRETS).map(([table, columns]) => [
          table,
          Object.fromEntries(columns.map((column) => [column, `${SECRET}-${name}`])),
        ]),
      ),
      identity_user: { disabled_at: null },
      organization: { disabled_at: null, deleted_at: null },
      receipt_entry: { person: owners.person },
      organization_member: { suspended_at: null },
      spend_cap: { kind: 'member', subject_id: owners.person },
      operator_act: { kind: 'person', subject_id: owners.person },
      chat_attachment: { name: '../../etc/passwd' },
    });
  }
  const files = await unpack(
    exportPerson(
      {
        db,
        clock: () => new Date(),
        async *artifacts({ id }) {
          yield { name: 'out/report.txt', content: texts(`left by ${id}`) };
        },
        async *responses(userId) {
          yield { id: `resp_${userId}`, json: [Buffer.from('{}')] };
        },
      },
      'usr_a',
    ),
  );

  const all = [...files].map(([name, text]) => `${name}\n${text}`).join('\n');
  expect(all).not.toMatch(/written-by-b|usr_b|org_b/);
  expect(all).not.toContain(SECRET);
  for (const [table, row] of Object.entries(EXPORTS)) {
    const places = [...files].filter(([name]) =>
      'file' in row ? name === `${row.file}.json` : 'within' in row && name.startsWith(row.within),
    );
    if ('leftOut' in row) continue;
    expect(places, table).not.toEqual([]);
    for (const [name, text] of places)
      if (name.endsWith('.json') && !name.startsWith('stored-responses/')) {
        const rows = JSON.parse(text) as unknown;
        if (Array.isArray(rows)) expect(rows, name).toHaveLength(1);
      }
  }
  expect([...files.keys()].filter((name) => name.includes('/'))).toEqual([
    'chats/chat_thread_usr_a.json',
    'attachments/chat_attachment_usr_a/__.._etc_passwd',
    'project-files/project_file_usr_a/written-by-a',
    'stored-responses/resp_usr_a.json',
    'run-files/job_usr_a/out/report.txt',
  ]);
  expect(JSON.parse(files.get('chats/chat_thread_usr_a.json') ?? '')).toMatchObject({
    chat: { title: 'written-by-a' },
    messages: [{ parts: { text: 'written-by-a' } }],
    earlierVersions: [{ parts: { text: 'written-by-a' } }],
  });
  expect(files.get('attachments/chat_attachment_usr_a/__.._etc_passwd')).toContain('written-by-a');
  expect(files.get('profile.json')).toContain('written-by-a');
});

it.each([
  ['../../x', '__.._x'],
  ['..', '_'],
  ['', '_'],
  ['a/b\\c:d', 'a_b_c_d'],
  ['Bericht (2).pdf', 'Bericht (2).pdf'],
])('writes the name %j as one plain segment', (name, segment) => expect(plain(name)).toBe(segment));

async function* texts(...pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

async function unpack(entries: Parameters<typeof writeZip>[0]): Promise<ReadonlyMap<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of writeZip(entries)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const directory = findDirectory(bytes);
  if (!('count' in directory)) throw new Error('a small archive needs no second record');
  return new Map(
    [...readEntries(bytes.subarray(directory.at), directory.count)].map(([name, { headerAt, packedBytes }]) => {
      const at = headerAt + LOCAL_BYTES + bytes.readUInt16LE(headerAt + 26) + bytes.readUInt16LE(headerAt + 28);
      return [name, inflateRawSync(bytes.subarray(at, at + packedBytes)).toString()];
    }),
  );
}
