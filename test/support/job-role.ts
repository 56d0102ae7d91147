// A process of the runtime as src/entry/runtime.ts starts it, with engines of the test's own: what an objective says
// is what the run does. It is how runs of people are executed before, and without, a sandbox.
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../../src/base/package-root.ts';
import { groupOf, resolveRole } from '../../src/base/process-roles.ts';
import { runProcess } from '../../src/base/run-process.ts';
import { startRole } from '../../src/entry/start-role.ts';
import { type Engine, RunFailure } from '../../src/jobs/engine.ts';
import { measureDatabase } from '../../src/store/measure-database.ts';
import { migrate, readMigrations, waitForSchema } from '../../src/store/migrate.ts';
import { announceProcess } from '../../src/store/process-registry-announce.ts';
import { waitForStorage } from '../../src/store/wait-for-storage.ts';

const engine: Engine = async ({ job, signal, artifacts, progress }) => {
  const [verb = '', argument = ''] = job.objective.split(' ');
  if (verb === 'fail') throw new RunFailure('told_to', 'It was told to fail.');
  if (verb === 'sleep') {
    await progress({ step: 'sleeping' });
    await sleep(Number(argument), undefined, { signal });
  }
  // Hangs in its first attempt only.
  if (verb === 'hang-once' && job.attempt === 1) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }));
  if (verb === 'hang') await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }));
  if (verb === 'artifact') {
    const directory = await artifacts();
    await writeFile(join(directory, 'report.txt'), argument);
    await appendFile(join(directory, 'empty'), '');
  }
  return { did: job.objective, attempt: job.attempt };
};

/** As of a build that cannot execute runs of people yet. */
const NONE = { chat: undefined, control: undefined, codex: undefined };

await runProcess('runtime', async ({ config, log: processLog, stopping }) => {
  const role = resolveRole(config.SERVICE_PROCESS_ROLE);
  const log = processLog.child({ role });
  const storage = await waitForStorage(config, `service-${role}`, log, { stopping });
  const migrations = await readMigrations(join(packageRoot(), 'migrations'));
  if (role === 'api') await migrate(storage, migrations);
  else await waitForSchema(storage, migrations, log, stopping);
  const db = measureDatabase(storage, config.SERVICE_DB_POOL_MAX);
  const announced = await announceProcess(db, { role, group: groupOf(role, config), version: '0', log });
  const stop = await startRole({ config, log, stopping, role, version: '0', processId: announced.identity.id, db, migrations, engines: process.env['TEST_WITHOUT_ENGINES'] === '1' ? NONE : { chat: engine, control: engine, codex: engine } });
  log.info('running');
  return async () => {
    await announced.stopping();
    await stop();
    await announced.close();
    await db.close();
  };
});
