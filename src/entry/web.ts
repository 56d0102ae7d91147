// The web server: the browser app, identity, organizations and settings. It listens once the schema is there; the
// runtime's api role is what migrates.
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { packageRoot } from '../base/package-root.ts';
import { runProcess } from '../base/run-process.ts';
import { createChat } from '../chat/create-chat.ts';
import { createTurns } from '../chat/create-turn-deps.ts';
import { listAllowedModels } from '../chat/list-allowed-models.ts';
import { v1Route } from '../http/v1/v1-route.ts';
import { createWebApp } from '../http/web/app.ts';
import { chatRoutes } from '../http/web/chat-routes.ts';
import { loadBrowserApp } from '../http/web/browser-app.ts';
import { webListener } from '../http/web/listener.ts';
import { serve } from '../http/serve.ts';
import { readIdentitySettings } from '../identity/identity-settings.ts';
import { readModelSettings } from '../keys/model-settings.ts';
import { warnOfUndecryptable } from '../keys/count-undecryptable.ts';
import { serviceVersion } from '../base/service-version.ts';
import { announceProcess } from '../store/process-registry-announce.ts';
import { openListener } from '../store/listen.ts';
import { readMigrations, waitForSchema } from '../store/migrate.ts';
import { waitForStorage } from '../store/wait-for-storage.ts';
import { connectKey } from '../tenancy/connect-key.ts';
import { createTokenVerifier } from '../tenancy/verify-token.ts';

await runProcess('web', async ({ config, log, stopping }) => {
  const settings = readIdentitySettings(config);
  const key = connectKey(config);
  const models = readModelSettings(config);
  const db = await waitForStorage(config, 'service-web', log, { stopping });
  await waitForSchema(db, await readMigrations(join(packageRoot(), 'migrations')), stopping);
  await warnOfUndecryptable(db, models.wrappingKey, log);
  const browserApp = await loadBrowserApp(join(packageRoot(), 'dist', 'public'));
  const listener = openListener(db, log);
  const app = createWebApp({ db, log, settings, key, browserApp, models, listener });
  const turns = createTurns(config, models.catalog, db, log);
  const v1 = v1Route({ ...turns.deps, verifier: createTokenVerifier(key, systemClock), allowedModels: (caller) => listAllowedModels(turns.deps, caller), log });
  const chat = createChat({ db, log, turns: turns.deps, listener });
  const serving = await serve(webListener(app, [v1, chatRoutes({ db, log, settings, chat, listener })], log), { port: config.SERVICE_WEB_PORT, host: config.SERVICE_LISTEN_HOST });
  const announced = await announceProcess(db, { role: 'web', version: serviceVersion(), log });
  log.info({ port: serving.port }, 'web server listens');
  return async () => {
    await announced.stopping();
    await Promise.all([serving.close(), chat.close()]);
    await turns.close();
    await announced.close();
    await listener.close();
    await db.close();
  };
});
