// Removes the artifacts of runs that ended long ago, and sooner what is kept of their workspaces, messages of subscriptions that are done, and notes of mail that was
// never sent; receipts and the run's row stay. A directory is removed only if its name is the id of a run that, according
// to the database, ended before the limit.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { releaseFileStorage, releaseRunStorage } from '../../enforcement/storage.ts';
import type { Engine } from '../../runs/delivery/engine.ts';
import { dropSnapshot } from '../../runs/record/drop-snapshot.ts';
import { pruneSetups } from '../../runs/environments/setups.ts';
import type { Queryable } from '../../store/database.ts';
import { removeUnusedCheckouts } from '../repository/kept-checkouts.ts';
import { pruneRunMails } from '../../runs/delivery/run-mails.ts';
import { pruneDeliveries } from '../../subscriptions/deliver-message.ts';
import type { ControlDeps } from './control-deps.ts';

const BATCH = 500;
const RUN_ID = /^job_[0-9a-z]{26}$/;

const BUILD_ID = /^bld_[0-9a-z]{26}$/;

/** What no environment has now, and what no run has used for long. */
async function removeOldSetups(db: Queryable, root: string): Promise<number> {
  const names = await readdir(root).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const builds = names.filter((name) => BUILD_ID.test(name));
  const wanted = await pruneSetups(db, builds);
  const unwanted = builds.filter((build) => !wanted.has(build));
  for (const build of unwanted) {
    await releaseFileStorage(db, build);
    await rm(join(root, build), { recursive: true, force: true });
  }
  return unwanted.length;
}

export function removeOldArtifacts({ db, dataDirectory, artifactDays, snapshotDays }: ControlDeps): Engine {
  return async ({ signal }) => {
    const root = join(dataDirectory, 'artifacts');
    const entries = await readdir(root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const ids = entries.filter((entry) => entry.isDirectory() && RUN_ID.test(entry.name)).map(({ name }) => name);
    let removed = 0;
    let snapshots = 0;
    for (let at = 0; at < ids.length; at += BATCH) {
      signal.throwIfAborted();
      const { rows } = await db.query<{ id: string; whole: boolean }>(
        `select id, ended_at < now() - make_interval(days => $2) as whole from :schema.job
          where id = any($1::text[]) and ended_at < now() - make_interval(days => $3)`,
        [ids.slice(at, at + BATCH), artifactDays, Math.min(snapshotDays, artifactDays)],
      );
      for (const { id, whole } of rows) {
        if (!whole) {
          if (await dropSnapshot(db, root, id)) snapshots++;
          continue;
        }
        // In this order: what is left after a crash is found again by its directory.
        await releaseRunStorage(db, id);
        await rm(join(root, id), { recursive: true, force: true });
        removed++;
      }
    }
    let messages = 0;
    for (let pruned = 1; pruned > 0; messages += pruned) {
      signal.throwIfAborted();
      pruned = await pruneDeliveries(db);
    }
    await pruneRunMails(db);
    const setups = await removeOldSetups(db, join(dataDirectory, 'environments'));
    const checkouts = await removeUnusedCheckouts(db, join(dataDirectory, 'checkouts'));
    return { kept: ids.length - removed, removed, snapshots, messages, setups, checkouts };
  };
}
