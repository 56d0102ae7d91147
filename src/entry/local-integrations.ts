// The local integration provider, for development and demo. In production a real one takes its place.
import { getRequestListener } from '@hono/node-server';
import { buildInfo } from '../process/build-info.ts';
import { runProcess } from '../process/run-process.ts';
import { loadConnectors } from '../catalog/load-connectors.ts';
import { createConnectApp } from '../../stand-ins/nango/connect-app.ts';
import { createLocalApi } from '../../stand-ins/nango/api-app.ts';
import { readLocalSettings } from '../../stand-ins/nango/local-settings.ts';
import { localSchemaName, migrateLocal } from '../../stand-ins/nango/tables.ts';
import { serve } from '../http/shell/serve.ts';
import { serveScoped } from '../http/shell/serve-scoped.ts';
import { schemaName } from '../store/schema-name.ts';
import { waitForStorage } from '../store/wait-for-storage.ts';

await runProcess('local-integrations', async ({ config, log, stopping }) => {
  const settings = readLocalSettings(config);
  const db = await waitForStorage(
    { ...config, SERVICE_DB_SCHEMA: localSchemaName(schemaName(config)) },
    'service-local-integrations',
    log,
    { stopping },
  );
  await migrateLocal(db);
  const deps = { db, log, catalog: loadConnectors(), settings, running: buildInfo() };
  const host = config.SERVICE_LISTEN_HOST;
  const api = await serve(
    serveScoped(getRequestListener(createLocalApi(deps).fetch, { overrideGlobalObjects: false })),
    { port: config.SERVICE_LOCAL_INTEGRATIONS_PORT, host },
  );
  const connect = await serve(
    serveScoped(getRequestListener(createConnectApp(deps).fetch, { overrideGlobalObjects: false })),
    { port: config.SERVICE_LOCAL_INTEGRATIONS_CONNECT_PORT, host },
  );
  log.info(
    { port: api.port, connectPort: connect.port },
    'local integration provider is listening, for development and demo',
  );
  return async () => {
    await Promise.all([api.close(), connect.close()]);
    await db.close();
  };
});
