// Who gets the archive of a person, and how often; that it ends with the session is in src/entry/streams.pg.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase, quiet } from '../../../test/support/database.ts';
import { AUTH_SECRET, PUBLIC_URL } from '../../../test/support/http/web-app.ts';
import { addPerson, addSession, type Person } from '../../../test/support/people.ts';
import type { Database } from '../../store/database.ts';
import { type Serving, serve } from '../shell/serve.ts';
import { createOpenStreams } from '../shell/streams/open-streams.ts';
import { personalExportRoute } from './personal-export-route.ts';

let db: Database;
let serving: Serving;
let waiting = Promise.withResolvers<void>();

beforeAll(async () => {
  db = await openTestDatabase();
  const route = personalExportRoute({
    db,
    log: quiet,
    settings: { publicUrl: PUBLIC_URL, authSecret: AUTH_SECRET, allowPrivateUrls: false },
    streams: createOpenStreams({ db, log: quiet }),
    async *artifacts() {},
    async *responses() {
      await waiting.promise;
      yield { id: 'resp_1', json: [Buffer.from('{}')] };
    },
  });
  serving = await serve((request, response) => void route.handle(request, response), { port: 0 });
});
afterAll(async () => {
  waiting.resolve();
  serving?.server.closeAllConnections();
  await serving?.close();
  await db?.close();
});

async function signIn(): Promise<{ person: Person; session: string }> {
  const person = await addPerson(db);
  return { person, session: await addSession(db, person) };
}

const ask = (session: string | undefined, query = ''): Promise<Response> =>
  fetch(`http://127.0.0.1:${serving.port}/api/me/export${query}`, {
    headers: session === undefined ? {} : { authorization: `Bearer ${session}` },
  });
const refused = async (answer: Response): Promise<unknown> => [
  answer.status,
  ((await answer.json()) as { error: string }).error,
];

it('is for the person alone, who has just proved who they are', async () => {
  expect(await refused(await ask(undefined))).toEqual([401, 'unauthenticated']);
  const { person, session } = await signIn();
  await db.query("update :schema.identity_session set proved_at = now() - interval '11 minutes' where user_id = $1", [
    person.id,
  ]);
  expect(await refused(await ask(session))).toEqual([403, 'proof_required']);
  expect(await refused(await ask(session, '?check=1'))).toEqual([403, 'proof_required']);
});

it('is given once at a time, and again once it was read or left', async () => {
  waiting = Promise.withResolvers();
  const { session } = await signIn();
  const other = await signIn();
  expect((await ask(session, '?check=1')).status).toBe(204);
  const first = await ask(session);
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/zip']);
  for (const query of ['', '?check=1'])
    expect(await refused(await ask(session, query))).toEqual([409, 'export_in_progress']);
  expect((await ask(other.session, '?check=1')).status).toBe(204);
  waiting.resolve();
  const bytes = Buffer.from(await first.arrayBuffer());
  expect(bytes.includes('stored-responses/resp_1.json')).toBe(true);
  expect((await ask(session, '?check=1')).status).toBe(204);
});

it('is bounded for everyone together', async () => {
  waiting = Promise.withResolvers();
  const people = await Promise.all(Array.from({ length: 5 }, signIn));
  const answers: Response[] = [];
  for (const { session } of people) answers.push(await ask(session));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
  waiting.resolve();
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
});
