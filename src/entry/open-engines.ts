// The engines that execute runs on this worker, by kind, and their dependencies. A kind without an engine is undefined
// here and false in ENGINE_KINDS: its runs wait.
import { join } from 'node:path';
import { dataDirectory, runtimeUrl, sandboxUrl } from '../net/addresses.ts';
import { serverTime } from '../store/server-clock.ts';
import { processEnvironment } from '../base/config.ts';
import { loadConnectors } from '../catalog/load-connectors.ts';
import { loadModels } from '../catalog/load-models.ts';
import { openRunModels } from '../turns/call-model-for-run.ts';
import { findSpendToken } from '../tenancy/tokens/find-spend-token.ts';
import { createTurns } from '../turns/create-turn-deps.ts';
import { createAgentEngine, type AgentDeps } from '../engines/agent/create-agent-engine.ts';
import { createReadPast } from '../engines/agent/past.ts';
import { createCodexEngine } from '../engines/codex/create-codex-engine.ts';
import { createCodexInstaller } from '../engines/codex/install-codex.ts';
import type { ClientDeps } from '../engines/clients/client-deps.ts';
import { createPrepareClients } from '../engines/clients/prepare-clients.ts';
import { delivering } from '../engines/repository/deliver-commits.ts';
import { mergeSetups } from '../engines/merge-setups.ts';
import { listMessages } from '../runs/record/messages.ts';
import { findRepository } from '../runs/environments/find-environments.ts';
import { ensureSetup } from '../engines/environments/ensure-setup.ts';
import { createPrepareEnvironment } from '../engines/environments/prepare-environment.ts';
import { createPrepareTriggerFile } from '../engines/prepare-trigger-file.ts';
import { createRunCallbackServer, type RunCallbackServer } from '../engines/run-callback-server.ts';
import { createRunToken } from '../engines/run-token.ts';
import type { Engine, Engines } from '../runs/delivery/engine.ts';
import { connectScopes } from '../runs/record/run-authority.ts';
import { findNangoAccess } from '../nango/nango-settings.ts';
import { createCredentialReader } from '../nango/read-credentials.ts';
import { createConnectFetch } from '../runtime-client/connect-fetch.ts';
import { createSandboxClient } from '../sandbox/client.ts';
import { connectKey } from '../tenancy/tokens/connect-key.ts';
import type { RoleDeps } from './role-deps.ts';

export interface OpenEngines {
  readonly engines: Engines;
  close(): Promise<void>;
}

export function openEngines(deps: RoleDeps): OpenEngines {
  const { config, log, db } = deps;
  const catalog = deps.models ?? loadModels(undefined);
  const turns = createTurns({ config, catalog, db, log, processId: deps.processId, meter: deps.meter });
  const sandbox = createSandboxClient({ url: sandboxUrl(config), token: config.SERVICE_SANDBOX_TOKEN });
  const callbacks = createRunCallbackServer();
  const clients = openClients(deps, callbacks);
  const triggerFile = createPrepareTriggerFile({ db, sealingKey: config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64 });
  const environment = createPrepareEnvironment({
    db,
    sealingKey: config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64,
    allowPrivate: config.SERVICE_ALLOW_PRIVATE_URLS,
    ensureSetup: (attempt, wanted, setup) =>
      ensureSetup(
        {
          db,
          log,
          client: sandbox,
          directory: join(dataDirectory(config), 'environments'),
          storageBytes: config.SERVICE_STORAGE_PER_ORGANIZATION_BYTES,
          image: config.SERVICE_SANDBOX_IMAGE,
        },
        attempt,
        wanted,
        setup,
      ),
  });
  const shared = {
    sandbox,
    catalog,
    openModels: (payer) =>
      openRunModels(
        { ...turns.deps, findRunToken: (tokenId) => findSpendToken(db, tokenId) },
        config.SERVICE_RUN_BUDGET_CENTS * 10_000,
        payer,
      ),
    openConnect: openConnect(deps),
    readPast: createReadPast({ db, artifacts: join(dataDirectory(config), 'artifacts') }),
    listMessages: (run, after) => listMessages(db, run.id, after),
    prepareSandbox: async (attempt) =>
      mergeSetups(await environment(attempt), await clients.prepare(attempt), await triggerFile(attempt)),
    log,
  } satisfies Omit<AgentDeps, 'maxSteps'>;
  const agent = createAgentEngine({ ...shared, maxSteps: config.SERVICE_RUN_MAX_STEPS });
  const codex = createCodexEngine({
    ...shared,
    callbacks,
    installer: createCodexInstaller({ tools: join(dataDirectory(config), 'tools'), log }),
  });
  const deliver = (engine: Engine): Engine => delivering({ ...clients.deps, sandbox }, engine);
  return {
    engines: { chat: deliver(agent), control: agent, codex: deliver(codex) },
    async close() {
      await callbacks.close();
      await clients.close();
      await turns.close();
    },
  };
}

/** Command-line clients of the connected clouds and code hosts, configured in each run's sandbox. */
function openClients(
  { config, log, db }: RoleDeps,
  callbacks: RunCallbackServer,
): { deps: ClientDeps; prepare: NonNullable<AgentDeps['prepareSandbox']>; close(): Promise<void> } {
  const access = findNangoAccess(config);
  const credentials = access && createCredentialReader(access);
  const clients: ClientDeps = {
    db,
    log,
    callbacks,
    credentials,
    catalog: loadConnectors(),
    wrappingKey: config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64,
    stsUrl: config.SERVICE_AWS_STS_URL,
    localProfiles: config.SERVICE_LOCAL_CLOUD_PROFILES,
    path: processEnvironment()['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    allowPrivate: config.SERVICE_ALLOW_PRIVATE_URLS,
    findRepository: (run) => findRepository(db, run),
    keptCheckouts: {
      db,
      directory: join(dataDirectory(config), 'checkouts'),
      storageBytes: config.SERVICE_STORAGE_PER_ORGANIZATION_BYTES,
    },
  };
  return { deps: clients, prepare: createPrepareClients(clients), close: async () => credentials?.close() };
}

/**
 * If no connect token can be signed, runs have no connected apps; nor has a run that was started without their scopes.
 */
function openConnect({ config, log, db }: RoleDeps): AgentDeps['openConnect'] {
  if ((config.SERVICE_CONNECT_JWT_SECRET ?? config.AUTH_SECRET) === undefined) {
    log.warn('runs cannot use connected apps: set SERVICE_CONNECT_JWT_SECRET, or AUTH_SECRET to fall back to');
    return undefined;
  }
  const mint = { db, key: connectKey(config), clock: () => serverTime(db) };
  return (run) => {
    if (connectScopes(run).length === 0) return undefined;
    const token = createRunToken(mint, log, run);
    return {
      url: `${runtimeUrl(config)}/connect/mcp`,
      fetch: createConnectFetch(() => token.get()),
      close: () => token.close(),
    };
  };
}
