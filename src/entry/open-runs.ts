// Lets chat start runs and show their progress: the runtime starts them, with a token that this process creates for the
// user and this one call; the rest comes from the database.
import type { KeyObject } from 'node:crypto';
import { runtimeUrl } from '../net/addresses.ts';
import { systemClock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { loadConnectors } from '../catalog/load-connectors.ts';
import type { ChatDeps } from '../threads/create-chat.ts';
import { isCapabilityKey } from '../connections/capabilities.ts';
import { readShownRuns } from '../runs/reading/read-shown-runs.ts';
import { createRunStarter } from '../runtime-client/start-run.ts';
import type { Database } from '../store/database.ts';
import { mintMemberToken } from '../tenancy/tokens/create-token.ts';

export type OpenRuns = Required<Pick<ChatDeps, 'startBackgroundRun' | 'isCapability' | 'readRuns'>> & {
  close(): Promise<void>;
};

const TOKEN_SECONDS = 60;
/** The user has a session, so the run may use whatever they may. */
const RUN_SCOPES = ['jobs:write', 'connect:read', 'connect:write'] as const;

export function openRuns({ config, db, key }: { config: Config; db: Database; key: KeyObject }): OpenRuns {
  const catalog = loadConnectors();
  const starter = createRunStarter(runtimeUrl(config));
  return {
    isCapability: (word) => isCapabilityKey(catalog, word),
    readRuns: (reader, ids) => readShownRuns(db, reader, ids),
    async startBackgroundRun(
      { userId, organizationId, workspaceId, objective, projectId, model, capabilities, recipe, idempotencyKey },
      signal,
    ) {
      const { token } = await mintMemberToken(
        { db, key, clock: systemClock },
        { userId, organizationId, workspaceId, scopes: RUN_SCOPES, lifetimeSeconds: TOKEN_SECONDS },
      );
      const order = {
        workspace: workspaceId,
        objective,
        ...(projectId === undefined ? {} : { project: projectId }),
        model,
        capabilities,
        idempotencyKey,
      };
      const started = await starter.start(
        token,
        recipe ? { recipe: recipe.id, fields: recipe.fields ?? {}, idempotencyKey } : order,
        signal,
      );
      const { id, status, waiting } = started;
      return { id, objective: started.objective, status, ...(waiting ? { waiting } : {}) };
    },
    close: () => starter.close(),
  };
}
