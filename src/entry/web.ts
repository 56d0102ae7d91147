// The web server: the browser app, identity, organizations and settings. It creates the schema if necessary, so that it
// also starts alone.
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { createHttpMeter } from '../telemetry/metrics/http-meter.ts';
import { parseOrigins } from '../base/origins.ts';
import { programDirectory, releaseDirectory } from '../process/package-root.ts';
import { runProcess } from '../process/run-process.ts';
import { openModels } from '../catalog/open-models.ts';
import { createChat } from '../threads/create-chat.ts';
import { createImporter } from '../threads/imports/create-importer.ts';
import { createTurns } from '../turns/create-turn-deps.ts';
import { listAllowedModels } from '../turns/list-allowed-models.ts';
import { createStoredResponses } from '../stored-responses/create-stored-responses.ts';
import { createAdmission } from '../http/shell/admission/admission.ts';
import { placesFor } from '../http/shell/admission/limits.ts';
import { metricsRoute } from '../http/shell/metrics-route.ts';
import { v1Route } from '../http/v1/v1-route.ts';
import { composeWebApp } from '../http/compose-web-app.ts';
import { changeRoutes } from '../http/web/change-routes.ts';
import { chatRoutes } from '../http/web/chat-routes.ts';
import { loadBrowserApp } from '../http/web/browser-app.ts';
import { appListener } from '../http/shell/app-listener.ts';
import { serve } from '../http/shell/serve.ts';
import { createOpenStreams } from '../http/shell/streams/open-streams.ts';
import { readIdentitySettings } from '../identity/identity-settings.ts';
import { openMailer } from '../mail/create-mailer.ts';
import { readModelSettings } from '../keys/model-settings.ts';
import { warnOfUndecryptable } from '../keys/count-undecryptable.ts';
import { buildInfo } from '../process/build-info.ts';
import { createNangoClient } from '../nango/nango-client.ts';
import { findNangoSettings } from '../nango/nango-settings.ts';
import { announceProcess } from '../store/announce-process.ts';
import { openListener } from '../store/listen.ts';
import { measureDatabase } from '../store/measure-database.ts';
import { meterDatabase } from '../store/meter-database.ts';
import { ensureSchema, readMigrations } from '../store/migrate.ts';
import { waitForStorage } from '../store/wait-for-storage.ts';
import { connectKey } from '../tenancy/tokens/connect-key.ts';
import { readSignUpRules } from '../tenancy/members/sign-up-rules.ts';
import { createTokenUses } from '../tenancy/tokens/note-token-use.ts';
import { createTokenVerifier } from '../tenancy/tokens/verify-token.ts';
import { observe } from './observe.ts';
import { openArchive } from './open-archive.ts';
import { openOpenId } from './open-openid.ts';
import { openRuns } from './open-runs.ts';

await runProcess('web', async ({ config, log, stopping, programGone, onHangup }) => {
  const [settings, key, mailer] = [readIdentitySettings(config), connectKey(config), openMailer(config, 'system:web')];
  const openid = openOpenId(config, settings.publicUrl, log);
  const catalogue = openModels(config, log);
  onHangup(catalogue.reload);
  const models = readModelSettings(config, catalogue.catalog);
  const storage = await waitForStorage(config, 'service-web', log, { stopping });
  const { meter, stop: stopObserving } = await observe('web', 'web', { config, log });
  const db = measureDatabase(storage, config.SERVICE_DB_POOL_MAX);
  meterDatabase(db, meter);
  log.info(await ensureSchema(db, await readMigrations(releaseDirectory('migrations'))), 'schema is current');
  await warnOfUndecryptable(db, models.wrappingKey, log);
  const browserApp = await loadBrowserApp(join(programDirectory(), 'public'), programGone);
  const listener = openListener(db, log);
  const nangoSettings = findNangoSettings(config);
  const nango = nangoSettings && { settings: nangoSettings, client: createNangoClient(nangoSettings) };
  const integrations = { wrappingKey: config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64, integrations: nango };
  const announced = await announceProcess(db, { role: 'web', ...buildInfo(), log });
  const turns = createTurns({ config, catalog: models.catalog, db, log, processId: announced.identity.id, meter });
  const responses = createStoredResponses({
    db,
    log,
    wrappingKey: config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64,
    days: config.SERVICE_RESPONSES_RETENTION_DAYS,
  });
  const admission = createAdmission(placesFor(config.SERVICE_DB_POOL_MAX), systemClock, meter);
  const [streams, tokenUses] = [createOpenStreams({ db, log }), createTokenUses(db, log)];
  const app = composeWebApp({
    db,
    log,
    settings,
    key,
    browserApp,
    rules: readSignUpRules(config),
    mailer,
    models,
    integrations,
    listener,
    settle: turns.deps.settle,
    tokenUses,
    storageBytes: config.SERVICE_STORAGE_PER_ORGANIZATION_BYTES,
    importMib: config.SERVICE_IMPORT_MAX_MIB,
    deletionDays: config.SERVICE_DELETION_DAYS,
    admission,
    openid,
  });
  const v1 = v1Route({
    ...turns.deps,
    admission,
    verifier: createTokenVerifier(key, systemClock, tokenUses.note),
    allowedModels: (caller, name) => listAllowedModels(turns.deps, caller, name),
    responses: responses.store,
    streams,
    log,
    corsOrigins: parseOrigins(config.SERVICE_V1_CORS_ORIGINS ?? ''),
  });
  const [runs, drainMs] = [openRuns({ config, db, key }), config.SERVICE_DRAIN_SECONDS * 1_000];
  const chat = createChat({ db, log, turns: turns.deps, listener, graceMs: drainMs, ...runs });
  const importer = createImporter({ db, log, listener, storageBytes: config.SERVICE_STORAGE_PER_ORGANIZATION_BYTES });
  const archive = openArchive({ config, db, key, log, settings, streams });
  const changes = changeRoutes({ db, log, settings, listener, streams });
  const chats = chatRoutes({ db, log, settings, chat, listener, streams, admission });
  const serving = await serve(
    appListener(app, [v1, chats, changes, archive.route, metricsRoute(meter)], { log, meter: createHttpMeter(meter) }),
    { port: config.SERVICE_WEB_PORT, host: config.SERVICE_LISTEN_HOST, drainMs },
  );
  log.info({ port: serving.port }, 'web server is listening');
  return async () => {
    await announced.stopping();
    changes.close();
    streams.close();
    await Promise.all([serving.close(() => turns.deps.calls.stop()), chat.close(), importer.close()]);
    await responses.close();
    await Promise.all([turns.close(), tokenUses.close(), catalogue.close()]);
    await Promise.all([nango?.client.close(), openid?.close(), runs.close(), archive.close()]);
    await Promise.all([announced.close(), listener.close()]);
    await stopObserving();
    await db.close();
  };
});
