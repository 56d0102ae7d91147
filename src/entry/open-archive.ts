// The archive of a person, with what it takes from beyond the database: the files of runs, which the runtime has, and
// stored responses, which are sealed.
import type { KeyObject } from 'node:crypto';
import { systemClock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { type PersonalExportDeps, personalExportRoute } from '../http/web/personal-export-route.ts';
import type { RawRoute } from '../http/shell/raw-route.ts';
import { exportResponses } from '../leaving/export/export-responses.ts';
import { runtimeUrl } from '../net/addresses.ts';
import { createArtifactReader } from '../runtime-client/read-artifacts.ts';
import { mintMemberToken } from '../tenancy/tokens/create-token.ts';

const TOKEN_SECONDS = 60;

export function openArchive({
  config,
  key,
  ...deps
}: Pick<PersonalExportDeps, 'db' | 'log' | 'settings' | 'streams'> & { config: Config; key: KeyObject }): {
  readonly route: RawRoute;
  close(): Promise<void>;
} {
  const { db } = deps;
  const reader = createArtifactReader(runtimeUrl(config));
  const wrappingKey = config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64;
  const route = personalExportRoute({
    ...deps,
    artifacts({ id, userId, organizationId, workspaceId }) {
      const grant = {
        userId,
        organizationId,
        workspaceId,
        scopes: ['jobs:read'] as const,
        lifetimeSeconds: TOKEN_SECONDS,
      };
      return reader.read(id, async () => (await mintMemberToken({ db, key, clock: systemClock }, grant)).token);
    },
    responses: (userId) => exportResponses(db, wrappingKey, userId),
  });
  return { route, close: () => reader.close() };
}
