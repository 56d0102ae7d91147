// Everything that a background run needs, as real processes: broker, api, driver, worker and sandbox controller, in
// front of a scripted model and a stand-in for the connected apps.
import { randomBytes } from 'node:crypto';
import { storeReference } from '../../../src/connections/stored-reference.ts';
import type { Body } from '../http-client.ts';
import { type Answered, type RuntimeStand, openRuntimeStand, type Part, type Runs, runsOf } from './runtime-stand.ts';
import { type ProviderStand, startProviderStand } from '../tools/mcp-provider.ts';
import { type ModelUpstream, startModelUpstream } from '../models/model-upstream.ts';
import type { Script } from '../models/model-scripts.ts';
import { type OrganizationRecords, organizationRecords } from '../organization-records.ts';
import { addOrganization, addPerson, type TestOrganization } from '../people.ts';
import { pollUntil } from '../poll.ts';
import { type ControllerProcess, startController, type Way } from '../sandbox/sandbox.ts';
import type { Program } from '../watch-process.ts';

export const PLATFORM_KEY = 'sk-platform-of-the-run-tests';
const WRAPPING_KEY = randomBytes(32);
const CONNECTION_KEY = randomBytes(32);

/** The budget is read once nothing is reserved. */
export interface Tenant extends OrganizationRecords, Runs {
  readonly organization: TestOrganization;
  readonly userId: string;
  readonly token: string;
  ask(method: string, path: string, body?: unknown): Promise<Answered>;
  connect(provider: string): Promise<void>;
  events(id: string): Promise<Body[]>;
}

export interface RunStand extends RuntimeStand {
  readonly models: ModelUpstream;
  readonly apps: ProviderStand;
  readonly sandbox: ControllerProcess;
  readonly worker: Program;
  readonly broker: Program;
  readonly driver: Program;
  startShipped(part: Part, environment?: Record<string, string>, dist?: string): Promise<Program>;
  newTenant(): Promise<Tenant>;
  /** Scripts the model for the next run, one answer per call. */
  script(...answers: Script[]): void;
}

/** The model calls bash. */
export const bash = (command: string, text = ''): Script => ({
  text,
  toolCalls: [{ name: 'bash', arguments: { command } }],
});

/** `way` is how the sandbox controller runs; without one, as the user who runs the tests. */
export async function openRunStand(
  options: {
    environment?: Record<string, string>;
    worker?: Part;
    way?: Way;
    dist?: string;
  } = {},
): Promise<RunStand> {
  const [stand, models, apps, sandbox] = await Promise.all([
    openRuntimeStand(),
    startModelUpstream(),
    startProviderStand(),
    startController(options.way?.options),
  ]);
  const { db } = stand;
  const environment: Record<string, string> = {
    OPENAI_API_URL: models.url,
    ANTHROPIC_API_URL: models.url,
    OPENAI_API_KEY: PLATFORM_KEY,
    BYOK_ENCRYPTION_KEY_B64: WRAPPING_KEY.toString('base64'),
    SERVICE_CONNECTION_ENCRYPTION_KEY_B64: CONNECTION_KEY.toString('base64'),
    SERVICE_SANDBOX_URL: sandbox.url,
    SERVICE_SANDBOX_TOKEN: '',
    SERVICE_RUNTIME_URL: stand.url,
    SERVICE_INTEGRATIONS_URL: apps.url,
    SERVICE_INTEGRATIONS_SECRET_KEY: '2f9b4d8e-6c1a-4f53-9b7e-0d2a8c4e6f10',
    SERVICE_INTEGRATIONS_WEBHOOK_SECRET: 'webhook secret of the run tests',
    SERVICE_ALLOW_PRIVATE_URLS: '1',
    ...options.environment,
  };
  const startShipped: RunStand['startShipped'] = (part, more = {}, dist = options.dist) =>
    stand.start(part, { environment: { ...environment, ...more }, ...(dist === undefined ? {} : { dist }) });
  await startShipped('api');
  const [worker, broker, driver] = await Promise.all([
    startShipped(options.worker ?? 'worker-chat'),
    startShipped('broker'),
    startShipped('driver'),
  ]);

  return {
    ...stand,
    models,
    apps,
    sandbox,
    worker,
    broker,
    driver,
    startShipped,
    script: (...answers) => answers.forEach((answer) => models.respond({ path: '/v1/responses', ...answer })),
    async newTenant() {
      const owner = await addPerson(db, 'runner');
      const organization = await addOrganization(db, owner);
      const token = await stand.mint(owner, organization.id);
      const ask = (method: string, path: string, body?: unknown) => stand.request(method, path, { token, body });
      const records = organizationRecords(db, organization.id, WRAPPING_KEY);
      return {
        ...records,
        organization,
        userId: owner.id,
        token,
        ...runsOf(ask),
        ask,
        async setCredit(micros) {
          await db.query("update :schema.organization set plan = 'free', signup_credit_micros = $2 where id = $1", [
            organization.id,
            micros,
          ]);
        },
        async connect(provider) {
          const address = {
            organizationId: organization.id,
            workspaceId: organization.defaultId,
            provider,
            name: 'default',
          };
          await db.transaction((tx) =>
            storeReference(db, tx, CONNECTION_KEY, {
              address,
              reference: {
                kind: 'integration-reference',
                integrationId: provider,
                connectionId: `at-provider-${provider}`,
              },
              whenTaken: 'replace',
            }),
          );
        },
        events: async (id) => (await ask('GET', `/jobs/${id}/events`)).body.events,
        budget: () => pollUntil(records.budget, ({ reserved }) => reserved === 0),
      };
    },
    async close() {
      await stand.close();
      await Promise.all([models.stop(), apps.close(), sandbox.remove()]);
    },
  };
}
