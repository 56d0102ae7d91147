// One row of the table: a client, a model and a credential, in a home of its own. Beside what the client saw, what
// arrived at the provider is looked at: the right key, and nothing that the provider refused but what it was told to.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Case, ClientUnderTest, Outcome } from './client.ts';
import { findBroken } from './arrival-rules.ts';
import { keyOf } from './brain/start-brain.ts';
import type { InstalledClients } from './install-clients.ts';
import { type Credential, expectedKey, MODELS, type Provider, type World } from './open-world.ts';

export interface Row {
  readonly client: string;
  readonly version: string;
  /** Empty where no model is asked. */
  readonly model: string;
  readonly credential: Credential | '';
  readonly outcomes: readonly Outcome[];
}

/** Nothing takes that long; a client that hangs must not hang the suite. */
const LONGEST_MS = 900_000;

export async function runCase(
  client: ClientUnderTest,
  provider: Provider,
  credential: Credential,
  world: World,
  installed: InstalledClients,
): Promise<Row> {
  const home = await mkdtemp(join(tmpdir(), 'service-client-'));
  const project = join(home, 'project');
  await mkdir(project);
  const word = `heron${randomBytes(4).toString('hex')}`;
  await writeFile(join(project, 'note.txt'), `The note has the word ${word}.\n`);
  const from = world.brain.requests.length;
  const at: Case = {
    provider,
    credential,
    model: client.only?.model ?? MODELS[provider],
    ...world.access[credential],
    word,
    world,
    installed,
    place: { home, project, path: [installed.bin] },
    arrived: () => world.brain.requests.slice(from),
  };
  const stopped = new AbortController();
  const late = pause(LONGEST_MS, undefined, { signal: stopped.signal, ref: false }).then(
    (): Outcome[] => [{ step: 'end', fault: `not done after ${LONGEST_MS / 1_000} s` }],
    () => [],
  );
  const ran = client
    .run(at)
    .catch((error: unknown): Outcome[] => [
      { step: 'run', fault: error instanceof Error ? error.message : String(error) },
    ]);
  const outcomes = await Promise.race([ran, late]);
  stopped.abort();
  await rm(home, { recursive: true, force: true, maxRetries: 5 });
  const asksModels = client.only === undefined || client.only.model !== undefined;
  return {
    client: client.name,
    version: client.package === undefined ? '' : installed.version(client.package),
    model: asksModels ? at.model : '',
    credential: asksModels ? credential : '',
    outcomes: [...outcomes, ...(asksModels ? await checkArrived(at) : [])],
  };
}

async function checkArrived(at: Case): Promise<Outcome[]> {
  if (at.credential === 'demo') return [];
  const arrived = at.arrived();
  if (arrived.length === 0) return [{ step: 'credential', fault: 'nothing arrived at the provider' }];
  const expected = expectedKey(at.provider, at.credential) ?? '';
  const other = arrived.map(keyOf).find((key) => key !== expected);
  const faults: Outcome[] =
    other === undefined
      ? [{ step: 'credential' }]
      : [{ step: 'credential', fault: `${other} arrived, not ${expected}` }];
  // A Models account can be any provider's, so no rule is known for it.
  const broken =
    at.credential === 'models-account' ? [] : new Set(arrived.flatMap((request) => findBroken(request, at.credential)));
  faults.push(...[...broken].map((rule) => ({ step: 'arrival', fault: `broken: ${rule}` })));
  for (const { answered, path, body } of arrived) {
    const { status, text } = await answered;
    if (status >= 400 && !body.includes('task:overflow'))
      faults.push({ step: 'provider', fault: `the provider refused ${path} with ${status}: ${text.slice(0, 300)}` });
  }
  return faults;
}
