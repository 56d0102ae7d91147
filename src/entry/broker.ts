// The broker: durable promises and tasks over PostgreSQL, in the Resonate wire protocol. Any number of replicas may
// share one database. It creates the schema if necessary, so that it also starts alone.
import { releaseDirectory } from '../process/package-root.ts';
import { runProcess } from '../process/run-process.ts';
import { buildInfo } from '../process/build-info.ts';
import { meterBroker } from '../broker/meter-broker.ts';
import { createBroker } from '../broker/create-broker.ts';
import { readBrokerToken } from '../http/broker/check-token.ts';
import { brokerListener } from '../http/broker/listener.ts';
import { createDatabaseCheck } from '../http/shell/health.ts';
import { serve } from '../http/shell/serve.ts';
import { measureDatabase } from '../store/measure-database.ts';
import { meterDatabase } from '../store/meter-database.ts';
import { ensureSchema, readMigrations } from '../store/migrate.ts';
import { announceProcess } from '../store/announce-process.ts';
import { waitForStorage } from '../store/wait-for-storage.ts';
import { observe } from './observe.ts';

const HOUR_MS = 3_600_000;

await runProcess('broker', async ({ config, log, stopping }) => {
  const token = readBrokerToken(config);
  if (token === undefined)
    log.warn('no broker token is set: anyone who can connect to this port can take and change runs');
  const build = buildInfo();
  const storage = await waitForStorage(config, 'service-broker', log, { stopping });
  const { meter, stop: stopObserving } = await observe('broker', 'broker', { config, log });
  const db = measureDatabase(storage, config.SERVICE_DB_POOL_MAX);
  meterDatabase(db, meter);
  log.info(await ensureSchema(db, await readMigrations(releaseDirectory('migrations'))), 'schema is current');
  const broker = await createBroker({
    db,
    log,
    retentionMs: config.SERVICE_BROKER_RETENTION_HOURS * HOUR_MS,
    sharePercent: config.SERVICE_RUNS_SHARE_PERCENT,
  });
  meterBroker(broker, meter);
  const listener = brokerListener({ broker, token, meter, ...build, checkDatabase: createDatabaseCheck(db), log });
  const serving = await serve(listener, { port: config.SERVICE_BROKER_PORT, host: config.SERVICE_LISTEN_HOST });
  const announced = await announceProcess(db, { role: 'broker', ...build, log });
  log.info({ port: serving.port, replica: broker.replica }, 'broker is listening');
  return async () => {
    await announced.stopping();
    // The broker ends its streams, so that the server has only short requests to wait for.
    await Promise.all([broker.close(), serving.close()]);
    await announced.close();
    await stopObserving();
    await db.close();
  };
});
