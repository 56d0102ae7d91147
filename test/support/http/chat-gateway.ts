// The chat interface on a real socket, over a real database, in front of a scripted provider. People, keys and
// policies are put straight into the tables; what is under test is the request.
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../../src/base/clock.ts';
import { readConfig } from '../../../src/base/config.ts';
import { parseOrigins } from '../../../src/base/origins.ts';
import { loadModels } from '../../../src/catalog/load-models.ts';
import { newId } from '../../../src/base/ids.ts';
import { createTurns } from '../../../src/turns/create-turn-deps.ts';
import { listAllowedModels } from '../../../src/turns/list-allowed-models.ts';
import { createStoredResponses } from '../../../src/stored-responses/create-stored-responses.ts';
import { serve } from '../../../src/http/shell/serve.ts';
import { createAdmission } from '../../../src/http/shell/admission/admission.ts';
import { createOpenStreams } from '../../../src/http/shell/streams/open-streams.ts';
import { v1Route } from '../../../src/http/v1/v1-route.ts';
import { appListener } from '../../../src/http/shell/app-listener.ts';
import type { Scope } from '../../../src/contract/tokens.ts';
import type { Database } from '../../../src/store/database.ts';
import { mintToken } from '../../../src/tenancy/tokens/mint-token.ts';
import { createTokenVerifier } from '../../../src/tenancy/tokens/verify-token.ts';
import { openTestDatabase, quiet } from '../database.ts';
import { type ModelUpstream, startModelUpstream } from '../models/model-upstream.ts';
import { type OrganizationRecords, organizationRecords } from '../organization-records.ts';
import { addOrganization, addPerson, type Person, type TestOrganization } from '../people.ts';
import { CONNECT_KEY, openTestWeb } from './web-app.ts';

export interface ChatGateway {
  readonly db: Database;
  readonly url: string;
  readonly upstream: ModelUpstream;
  newMember(): Promise<Member>;
  /** Calls back for every statement that is not part of a transaction. */
  watchStatements(watch: (sql: string) => void): () => void;
  close(): Promise<void>;
}

/** What a member's organization has used is read once everything that was begun is settled. */
export interface Member extends Person, OrganizationRecords {
  readonly organization: TestOrganization;
  token(options?: { scopes?: Scope[]; workspaceId?: string; name?: string }): Promise<string>;
}

export const WRAPPING_KEY = randomBytes(32);
const CONNECTION_KEY = randomBytes(32);

/** Platform keys for both providers, which the scripted one stands for. */
export const chatEnvironment = ({ url }: ModelUpstream): Record<string, string> => ({
  OPENAI_API_URL: url,
  ANTHROPIC_API_URL: url,
  OPENAI_API_KEY: 'sk-platform-openai',
  ANTHROPIC_API_KEY: 'sk-ant-platform',
  BYOK_ENCRYPTION_KEY_B64: WRAPPING_KEY.toString('base64'),
  SERVICE_ALLOW_PRIVATE_URLS: '1',
  SERVICE_CHAT_REQUESTS_PER_MINUTE: '10000',
});

export async function startChatGateway(environment: Record<string, string> = {}): Promise<ChatGateway> {
  const plain = await openTestDatabase({ poolMax: 4 });
  const watchers = new Set<(sql: string) => void>();
  const db: Database = {
    ...plain,
    query(sql, values) {
      for (const watch of watchers) watch(sql);
      return plain.query(sql, values);
    },
  };
  const upstream = await startModelUpstream();
  const config = readConfig({
    ...chatEnvironment(upstream),
    SERVICE_CONNECTION_ENCRYPTION_KEY_B64: CONNECTION_KEY.toString('base64'),
    ...environment,
  });
  const responses = createStoredResponses({
    db,
    log: quiet,
    wrappingKey: config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64,
    days: config.SERVICE_RESPONSES_RETENTION_DAYS,
  });
  const turns = createTurns({ config, catalog: loadModels(undefined), db, log: quiet, processId: newId('proc') });
  const route = v1Route({
    ...turns.deps,
    admission: createAdmission(),
    verifier: createTokenVerifier(CONNECT_KEY, systemClock),
    allowedModels: (caller, name) => listAllowedModels(turns.deps, caller, name),
    responses: responses.store,
    streams: createOpenStreams({ db, log: quiet }),
    log: quiet,
    corsOrigins: parseOrigins(config.SERVICE_V1_CORS_ORIGINS ?? ''),
  });
  const web = await openTestWeb();
  const serving = await serve(appListener(web.app, [route], { log: quiet }), { port: 0 });

  return {
    db,
    upstream,
    url: `http://127.0.0.1:${serving.port}`,
    watchStatements(watch) {
      watchers.add(watch);
      return () => void watchers.delete(watch);
    },
    async newMember() {
      const person = await addPerson(db);
      const organization = await addOrganization(db, person, 'free');
      const records = organizationRecords(db, organization.id, WRAPPING_KEY);
      return {
        ...person,
        ...records,
        organization,
        token: async ({ scopes = ['chat'] as Scope[], workspaceId, name } = {}) =>
          (
            await mintToken(
              { db, key: CONNECT_KEY, clock: systemClock },
              { userId: person.id, organizationId: organization.id, workspaceId, scopes, lifetimeSeconds: 600, name },
            )
          ).token,
        async budget() {
          await Promise.all([turns.deps.admit.drain(), turns.deps.settle.drain()]);
          return records.budget();
        },
        async usage() {
          await turns.deps.settle.drain();
          return records.usage();
        },
      };
    },
    async close() {
      await serving.close();
      await responses.close();
      await turns.close();
      await web.close();
      await upstream.stop();
      await db.close();
    },
  };
}
