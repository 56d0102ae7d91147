// A catalogue file that changes under real processes: models come and go without a restart.
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Database } from '../../src/store/database.ts';
import { openTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { type ModelUpstream, startModelUpstream } from '../support/models/model-upstream.ts';
import { addOrganization, addPerson, addSession } from '../support/people.ts';
import { type RuntimeProcess, startRuntime } from '../support/runs/runtime-process.ts';

let db: Database;
let upstream: ModelUpstream;
let directory: string;
let file: string;
let url: string;
let web: RuntimeProcess;
let worker: RuntimeProcess;

const catalogueOf = (...models: string[]): string =>
  JSON.stringify({
    models: models.map((model) => ({
      id: `acme/${model}`,
      name: model,
      contextWindow: 100_000,
      providers: [{ provider: 'openai', model, zdr: false, price: { input: 1, output: 2 } }],
    })),
  });

async function write(content: string): Promise<void> {
  await writeFile(`${file}.next`, content);
  await rename(`${file}.next`, file);
}

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 2 });
  upstream = await startModelUpstream();
  directory = await mkdtemp(join(tmpdir(), 'service-catalogue-'));
  file = join(directory, 'models.json');
  await write(catalogueOf('first'));
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const environment = {
    SERVICE_UPSTREAM_DB: inject('postgresUrl'),
    SERVICE_DB_SCHEMA: db.schema,
    AUTH_SECRET: 'the-auth-secret-of-the-flow-test',
    OPENAI_API_URL: upstream.url,
    OPENAI_API_KEY: 'sk-platform-openai',
    SERVICE_MODEL_CATALOG: file,
  };
  web = startRuntime({ ...environment, SERVICE_WEB_PORT: String(port) }, 'web');
  worker = startRuntime({ ...environment, SERVICE_PROCESS_ROLE: 'worker-chat' });
  await Promise.all([web.said('web server is listening'), worker.said('running')]);
});
afterAll(async () => {
  await Promise.all([web.stop('SIGTERM'), worker.stop('SIGTERM')]);
  await upstream.stop();
  await db.close();
  await rm(directory, { recursive: true });
});

it('is followed while it changes and at SIGHUP; one that cannot be used changes nothing', async () => {
  const person = await addPerson(db);
  const organization = (await addOrganization(db, person)).id;
  const authorization = `Bearer ${await addSession(db, person)}`;
  const ask = async (model: string): Promise<number> => {
    const response = await fetch(`${url}/api/chat`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ organization, model, message: { text: 'Hello' } }),
    });
    await response.text();
    return response.status;
  };
  expect([await ask('acme/first'), await ask('acme/second'), await ask('openai/gpt-5-mini')]).toEqual([200, 404, 200]);

  await write(catalogueOf('second'));
  for (const one of [web, worker])
    expect(await one.said('model catalogue was read again')).toMatchObject({ fromFile: 1 });
  expect([await ask('acme/first'), await ask('acme/second'), await ask('openai/gpt-5-mini')]).toEqual([404, 200, 200]);

  await write('{"models":[{"id":"acme/third"}]}');
  for (const one of [web, worker])
    expect(await one.said('model catalogue cannot be used; the former one stays in force')).toMatchObject({
      level: 'error',
      reason: expect.stringMatching(/^SERVICE_MODEL_CATALOG takes .*models\.0\.name: /),
    });
  expect([await ask('acme/second'), await ask('acme/third')]).toEqual([200, 404]);

  await write(catalogueOf('third'));
  const timesRead = (one: RuntimeProcess): number =>
    one.lines.filter(({ msg }) => msg === 'model catalogue was read again').length;
  await expect.poll(() => [web, worker].map(timesRead), { timeout: 15_000 }).toEqual([2, 2]);
  expect(await ask('acme/third')).toBe(200);
  for (const one of [web, worker]) one.child.kill('SIGHUP');
  await expect.poll(() => [web, worker].map(timesRead)).toEqual([3, 3]);
  expect(await ask('acme/third')).toBe(200);
});
