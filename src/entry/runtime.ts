// The runtime in one of its roles, by SERVICE_PROCESS_ROLE.
import { releaseDirectory } from '../process/package-root.ts';
import { groupOf, PROCESS_ROLES, resolveRole } from '../process/process-roles.ts';
import { runProcess } from '../process/run-process.ts';
import { buildInfo } from '../process/build-info.ts';
import { measureDatabase } from '../store/measure-database.ts';
import { meterDatabase } from '../store/meter-database.ts';
import { migrate, readMigrations, waitForSchema } from '../store/migrate.ts';
import { announceProcess } from '../store/announce-process.ts';
import { waitForStorage } from '../store/wait-for-storage.ts';
import { observe } from './observe.ts';
import { startRole } from './start-role.ts';

await runProcess('runtime', async ({ config, log: processLog, stopping, onHangup }) => {
  const role = resolveRole(config.SERVICE_PROCESS_ROLE);
  const group = groupOf(role, config);
  const build = buildInfo();
  const log = processLog.child({ role });
  // A worker loads its engines with its first run; a bad catalogue is reported now, like every other bad value.
  const { SERVICE_MODEL_CATALOG: file, SERVICE_MODEL_PRICES: prices } = config;
  const { readsModels } = PROCESS_ROLES[role];
  const models =
    readsModels && (file !== undefined || prices !== undefined)
      ? (await import('../catalog/open-models.ts')).openModels(config, log)
      : undefined;
  if (readsModels) onHangup(() => models?.reload());

  const storage = await waitForStorage(config, `service-${role}`, log, { stopping });
  const migrations = await readMigrations(releaseDirectory('migrations'));
  if (role === 'api') log.info(await migrate(storage, migrations), 'schema is current');
  else await waitForSchema(storage, migrations, log, stopping);

  const { meter, stop: stopObserving } = await observe(role === 'api' ? 'api' : 'worker', role, { config, log });
  const db = measureDatabase(storage, config.SERVICE_DB_POOL_MAX);
  // The api role does so with its routes.
  if (role !== 'api') meterDatabase(db, meter);
  const announced = await announceProcess(db, { role, group, ...build, log });
  const stopRole = await startRole({
    config,
    log,
    stopping,
    role,
    ...build,
    processId: announced.identity.id,
    db,
    migrations,
    models: models?.catalog,
    meter,
  });
  log.info({ group, ...build }, 'running');

  return async () => {
    await announced.stopping();
    await stopRole();
    await models?.close();
    await announced.close();
    await stopObserving();
    await db.close();
  };
});
