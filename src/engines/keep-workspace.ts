// Keeps the workspace of a run as it is after each step, and puts it back into the sandbox of the next attempt, or of a
// run that continues this one. A snapshot that cannot be kept is not the run's fault: snapshots end, the run goes on, and
// after a crash it starts over.
import { dirname, join } from 'node:path';
import type { SandboxClient } from '../sandbox/client.ts';
import type { Log } from '../telemetry/log.ts';
import { PATIENCE_MS } from '../runs/delivery/attempt-run.ts';
import type { RunAttempt } from '../runs/delivery/engine.ts';
import {
  bytesOf,
  findSnapshot,
  isOutgrown,
  openSnapshotFile,
  recordSnapshot,
  removeSnapshot,
  type Snapshot,
  type SnapshotFile,
  writeSnapshotFile,
} from '../runs/record/snapshots.ts';
import { retryFault } from '../timing/retry-fault.ts';
import { LEASE_MS } from './keep-lease.ts';

/**
 * Of one run: half of the disk of a sandbox. A workspace that is larger is mostly what its commands can make again, and it
 * would be written once more whenever the changes outgrow it.
 */
const MOST_BYTES = 512 * 1024 * 1024;
/** A step should not wait longer for its snapshot than a person would for the step. */
const SAVE_MS = 20_000;
/** Of a chain with every archive. */
const RESTORE_MS = 60_000;
/** Shorter ones are in ordinary files by chance. */
const SECRET_MIN_BYTES = 8;

export type SkipReason = 'too_large' | 'too_slow' | 'failed' | 'storage_full' | 'holds_secret';

class Skipped extends Error {
  readonly reason: SkipReason;

  constructor(reason: SkipReason) {
    super(`a snapshot was not kept: ${reason}`);
    this.reason = reason;
  }
}

/**
 * The snapshot of this run or of one that it continues, if there is one that can be restored. That of the run itself is
 * this attempt's from now on: an earlier attempt that is still at work, and does not know yet that it has lost the run,
 * changes nothing of it any longer.
 */
export async function findWorkspace(
  attempt: Pick<RunAttempt, 'run' | 'artifacts'>,
  run: string,
): Promise<KeptWorkspace | undefined> {
  const runDirectory = join(dirname(await attempt.artifacts()), run);
  const snapshot = await findSnapshot(runDirectory);
  if (snapshot && run === attempt.run.id)
    await recordSnapshot(runDirectory, { ...snapshot, writer: attempt.run.head.index });
  return snapshot && { runDirectory, snapshot };
}

export interface KeptWorkspace {
  readonly runDirectory: string;
  readonly snapshot: Snapshot;
}

/** Into a new sandbox. If it fails, the sandbox is half filled. */
export async function restoreWorkspace(
  client: Pick<SandboxClient, 'restoreSnapshot'>,
  id: string,
  { runDirectory, snapshot: { files } }: KeptWorkspace,
  signal: AbortSignal,
): Promise<void> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(RESTORE_MS)]);
  for (const [index, file] of files.entries())
    await client.restoreSnapshot(
      id,
      openSnapshotFile(runDirectory, file),
      { last: index === files.length - 1 },
      inTime,
    );
}

export interface KeepOptions {
  readonly client: Pick<SandboxClient, 'saveSnapshot' | 'renew'>;
  readonly log: Log;
  /** The sandbox. */
  readonly id: string;
  readonly attempt: Pick<RunAttempt, 'run' | 'artifacts' | 'storage' | 'progress'>;
  /** Aborted when the sandbox is. */
  readonly signal: AbortSignal;
  /** An archive that contains one of them is thrown away. */
  readonly secrets: readonly Buffer[];
  /** The archives that the sandbox began with, if they are this run's own: what changes is added to them. */
  readonly restored: readonly SnapshotFile[] | undefined;
}

/** One after another; throws only if the sandbox is lost or the run is no longer ours. */
export function keepWorkspace(options: KeepOptions): (after: string) => Promise<void> {
  const { attempt, signal, log } = options;
  let chain = options.restored;
  let over = false;

  const saveNext = async (after: string): Promise<void> => {
    if (over) return;
    const outcome = await save(options, after, chain);
    if (outcome !== undefined && 'files' in outcome) {
      chain = outcome.files;
      return;
    }
    over = true;
    if (outcome === undefined) return;
    const { reason, error } = outcome;
    log.warn({ job: attempt.run.id, reason, err: error }, 'snapshots of this run end; after a crash it starts over');
    await removeSnapshot(await attempt.artifacts()).catch(() => {});
    await attempt.storage?.takeSnapshot(0).catch(() => {});
    await attempt.progress({ type: 'snapshot.skipped', reason });
  };
  let last = Promise.resolve();
  return (after) => {
    const saved = last.then(() => {
      signal.throwIfAborted();
      return saveNext(after);
    });
    last = saved.catch(() => {});
    return saved;
  };
}

type Outcome = { readonly files: readonly SnapshotFile[] } | { readonly reason: SkipReason; readonly error: unknown };

/** Undefined if the run is no longer ours. A chain that cannot be continued is begun again. */
async function save(
  options: KeepOptions,
  after: string,
  chain: readonly SnapshotFile[] | undefined,
): Promise<Outcome | undefined> {
  const { client, id, signal } = options;
  const before = chain === undefined || isOutgrown(chain) ? [] : chain;
  const inTime = AbortSignal.timeout(SAVE_MS);
  try {
    return await saveOnce(options, { after, before, inTime });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof Skipped && error.reason !== 'too_large') return { reason: error.reason, error };
    if (inTime.aborted) return { reason: 'too_slow', error };
    // An archive breaks off alike when the archiver failed and when its sandbox is gone.
    await client.renew(id, LEASE_MS);
    if (before.length > 0) return save(options, after, undefined);
    return { reason: error instanceof Skipped ? error.reason : 'failed', error };
  }
}

async function saveOnce(
  { client, id, attempt, signal, secrets }: KeepOptions,
  { after, before, inTime }: { after: string; before: readonly SnapshotFile[]; inTime: AbortSignal },
): Promise<Outcome | undefined> {
  const runDirectory = await attempt.artifacts();
  const full = before.length === 0;
  const archive = await client.saveSnapshot(id, { full }, AbortSignal.any([signal, inTime]));
  const file = await writeSnapshotFile(
    runDirectory,
    checkedArchive(archive, { secrets, mostBytes: MOST_BYTES - bytesOf(before) }),
  );
  const files = [...before, file];
  // Without the database the run cannot go on either: its next receipt is waited for as long.
  const taken = await retryFault(async () => attempt.storage?.takeSnapshot(bytesOf(files)), {
    patienceMs: PATIENCE_MS,
    signal,
  });
  if (taken === false) throw new Skipped('storage_full');
  return (await recordSnapshot(runDirectory, { after, writer: attempt.run.head.index, files })) ? { files } : undefined;
}

/** Passes it on; throws what makes it unfit. A secret is found wherever chunks are cut. */
export async function* checkedArchive(
  archive: AsyncIterable<Buffer>,
  { secrets, mostBytes }: { readonly secrets: readonly Buffer[]; readonly mostBytes: number },
): AsyncGenerator<Buffer> {
  const sought = secrets.filter(({ length }) => length >= SECRET_MIN_BYTES);
  const overlap = Math.max(1, ...sought.map(({ length }) => length)) - 1;
  let bytes = 0;
  let end: Buffer = Buffer.alloc(0);
  for await (const chunk of archive) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Skipped('too_large');
    if (sought.length > 0) {
      const text = Buffer.concat([end, chunk]);
      if (sought.some((secret) => text.includes(secret))) throw new Skipped('holds_secret');
      end = text.subarray(-overlap);
    }
    yield chunk;
  }
}
