// The result of an environment's script for a run: built by the first run that needs it, waited for by the others, used by
// all that come later, until the script or what it depends on changes.
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalJson } from '../../base/canonical-json.ts';
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { releaseFileStorage, takeFileStorage } from '../../enforcement/storage.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import { serverTime } from '../../store/server-clock.ts';
import type { Queryable } from '../../store/database.ts';
import type { Log } from '../../telemetry/log.ts';
import { every } from '../../timing/every.ts';
import { type RunAttempt, RunFailure } from '../../runs/delivery/engine.ts';
import type { RunEnvironment } from '../../runs/environments/environment.ts';
import { claimSetup, endSetup, findSetup, isThere, releaseSetup, renewSetup } from '../../runs/environments/setups.ts';
import { findSnapshot } from '../../runs/record/snapshots.ts';
import type { KeptWorkspace } from '../keep-workspace.ts';
import type { SandboxSetup } from '../run-sandbox.ts';
import { buildSetup } from './build-setup.ts';

export interface EnsureDeps {
  readonly db: Queryable;
  readonly client: SandboxClient;
  readonly log: Log;
  /** Results are kept here, and count as storage of the organization. */
  readonly directory: string;
  /** What an organization may keep. */
  readonly storageBytes: number;
  /** What a sandbox is made of, beside what its driver says. */
  readonly image: string;
}

const LOOK_EVERY_MS = 1_000;
const SHOW_EVERY_MS = 2_000;
/** Of the log, in the message of the run that fails. */
const TOLD_CHARS = 1_500;

export async function ensureSetup(
  deps: EnsureDeps,
  attempt: Pick<RunAttempt, 'signal' | 'progress'>,
  environment: RunEnvironment,
  setup: Pick<SandboxSetup, 'env' | 'network' | 'memoryBytes' | 'secrets'>,
): Promise<KeptWorkspace> {
  const { db, directory } = deps;
  const { signal } = attempt;
  const key = { environmentId: environment.id, digest: await digestOf(deps, environment) };
  const since = serverTime(db);
  let said: string | undefined;
  const say = async (state: 'building' | 'waiting'): Promise<void> => {
    if (said === state) return;
    said = state;
    await attempt.progress({ type: 'setup', environment: environment.name, state });
  };
  for (;;) {
    signal.throwIfAborted();
    const found = await findSetup(db, key);
    let lost: string | undefined;
    if (found?.state === 'ready') {
      const runDirectory = join(directory, found.build);
      const snapshot = await findSnapshot(runDirectory);
      if (snapshot) {
        if (said !== undefined)
          await attempt.progress({ type: 'setup', environment: environment.name, state: 'ready' });
        return { runDirectory, snapshot };
      }
      lost = found.build;
      await releaseFileStorage(db, lost);
    }
    if (found?.state === 'failed' && found.endedAt !== undefined && found.endedAt >= since)
      throw new RunFailure('environment_setup_failed', describe(environment, found.log));
    const build = newId('bld');
    if (await claimSetup(db, { ...key, build, since, lost })) {
      await say('building');
      await buildOnce(deps, { build, environment, setup, signal });
    } else {
      if (!found && !(await isThere(db, environment.id)))
        throw new AppError('environment_not_found', { environment: environment.name });
      await say('waiting');
      await sleep(LOOK_EVERY_MS, undefined, { signal });
    }
  }
}

interface Build {
  readonly build: string;
  readonly environment: RunEnvironment;
  readonly setup: Pick<SandboxSetup, 'env' | 'network' | 'memoryBytes' | 'secrets'>;
  readonly signal: AbortSignal;
}

/** What came of it is in its row. */
async function buildOnce(
  { db, client, log, directory, storageBytes }: EnsureDeps,
  { build, environment, setup, signal }: Build,
): Promise<void> {
  const unwanted = new AbortController();
  let printed = '';
  const shown = every({
    everyMs: SHOW_EVERY_MS,
    task: 'showing the setup of an environment',
    log,
    async run() {
      if (!(await renewSetup(db, build, printed))) unwanted.abort(new Error('this build is no longer wanted'));
    },
  });
  const into = join(directory, build);
  try {
    const built = await buildSetup(
      { client, log },
      {
        script: environment.setup,
        directory: into,
        setup,
        signal: AbortSignal.any([signal, unwanted.signal]),
        show: (text) => {
          printed = text;
        },
      },
    );
    await shown.stop();
    const files = { id: build, organizationId: environment.organizationId };
    if (built.ok && (await takeFileStorage(db, files, built.bytes, storageBytes)))
      return await endSetup(db, build, { state: 'ready', log: built.log, bytes: built.bytes });
    const why = built.ok ? `the organization has no room for the ${built.bytes} bytes that it left` : built.why;
    await rm(into, { recursive: true, force: true });
    const ended = `${built.log}${built.log === '' || built.log.endsWith('\n') ? '' : '\n'}[${why}]`;
    return await endSetup(db, build, { state: 'failed', log: ended, bytes: 0 });
  } catch (error) {
    await shown.stop();
    await releaseFileStorage(db, build).catch(() => {});
    await rm(into, { recursive: true, force: true }).catch(() => {});
    if (unwanted.signal.aborted && !signal.aborted) return;
    await releaseSetup(db, build).catch(() => {});
    throw error;
  }
}

/** What its result depends on. Secrets do not count: a new value of one is no other environment. */
async function digestOf({ client, image }: EnsureDeps, environment: RunEnvironment): Promise<string> {
  const health = await client.health();
  const { setup, variables, secretVariables } = environment;
  const parts = {
    setup,
    variables: { ...variables },
    secretVariables: [...secretVariables],
    driver: health.ok ? health.driver : '',
    image,
    arch: process.arch,
  };
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}

function describe({ name }: RunEnvironment, log: string): string {
  const end = log.trim().slice(-TOLD_CHARS);
  return `The setup script of the environment “${name}” failed. Its last lines: ${end}`;
}
