// The files of a run as an archive, made and unpacked by GNU tar inside the sandbox: nothing that a hostile workspace
// holds is interpreted outside. A snapshot is either full or has what changed since the one before, which tar tells by a
// list in /tmp. A run that tampers with its list, or with the archive, changes only what it gets back itself.
import { type Readable, Transform, type TransformCallback, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../base/errors.ts';
import type { DriverSandbox, RunningCommand } from './driver.ts';
import { MAX_SNAPSHOT_BYTES } from './protocol.ts';

const SAVE_MS = 30_000;
/** Shorter than callers wait for an answer. */
const RESTORE_MS = 50_000;

/** Nothing of the run's environment: tar and the dynamic loader would obey it. */
const CLEAN = ['env', '-i', 'PATH=/usr/local/bin:/usr/bin:/bin', 'LC_ALL=C', 'sh', '-c'];
const PARTS = 'workspace home/agent';
const LIST = '/tmp/.snapshot/list';
/**
 * tar tells a directory that was renamed by its device and number, and then writes instructions that it often cannot
 * follow itself. Without the device in its list, such a directory is a new one with all its files.
 */
const CREATE = `create() {
  mkdir -p ${LIST.slice(0, LIST.lastIndexOf('/'))} || return 2
  tar --create --file="$1" --listed-incremental=${LIST} --no-check-device --ignore-failed-read --sparse ${PARTS} </dev/null
  code=$?
  for device in $(stat -c %d ${PARTS}); do sed -z -i "s/^$device\\$/0/" ${LIST} || return 2; done
  return $code
}
cd / || exit 2
`;
/** The kernel's clock for files runs a little late: what is written right after this must not look older than the list. */
const SAVE = `${CREATE}[ "$1" = full ] && rm -rf ${LIST}
sleep 0.02 &
create -
code=$?
wait
exit $code`;
/** Directories that the run cannot write to are made writable first; the archive has the mode of each. */
const RESTORE = `${CREATE}find ${PARTS} -type d ! -perm -0700 -exec chmod u+rwx {} \\;
tar --extract --file=- --listed-incremental=/dev/null --preserve-permissions --no-same-owner --delay-directory-restore || exit 2
[ "$1" != last ] || create /dev/null`;

/** "A file changed as we read it": it will be in the next snapshot. */
const CHANGED = 1;
const KILLED = 137;

interface Interruptible {
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
}

export interface Saving extends Interruptible {
  /** False: only what has changed since the snapshot before, or since one was restored. */
  readonly full: boolean;
}

export interface Restoring extends Interruptible {
  /** The last of a chain: from then on a snapshot has what changes after it. */
  readonly last: boolean;
}

export async function saveSnapshot(sandbox: DriverSandbox, to: Writable, { full, signal }: Saving): Promise<void> {
  const command = await start(sandbox, [SAVE, 'save', full ? 'full' : 'changes']);
  const code = await finish(command, { signal, mostMs: SAVE_MS }, () =>
    pipeline(command.stdout, new Bounded(), to, { end: false }),
  );
  if (code > CHANGED) throw new Error(`a snapshot was not made: its archiver ended with ${code}`);
}

export async function restoreSnapshot(
  sandbox: DriverSandbox,
  from: Readable,
  { last, signal }: Restoring,
): Promise<void> {
  // Not a pipeline: when the archiver ends early, the caller is still to be told.
  const archive = from.pipe(new Bounded());
  const command = await start(sandbox, [RESTORE, 'restore', last ? 'last' : 'more'], archive);
  command.stdout.resume();
  const code = await finish(command, { signal, mostMs: RESTORE_MS }, async () => {});
  if (archive.errored !== null) throw archive.errored;
  if (code !== 0) throw new Error(`a snapshot was not restored: its archiver ended with ${code}`);
}

function start(sandbox: DriverSandbox, script: readonly string[], stdin?: Readable): Promise<RunningCommand> {
  const argv = [...CLEAN, ...script];
  return sandbox.exec({ argv, env: {}, cwd: '/', network: false, ...(stdin === undefined ? {} : { stdin }) });
}

/** The exit code, once the last process of it is gone. */
async function finish(
  command: RunningCommand,
  { signal, mostMs }: Interruptible & { readonly mostMs: number },
  carry: () => Promise<void>,
): Promise<number> {
  const kill = (): void => command.kill();
  const timer = setTimeout(kill, mostMs);
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  // One line for each file that could not be read, with its name: of no use to anyone outside.
  command.stderr.resume();
  try {
    const [carried, { code }] = await Promise.all([
      carry().then(
        () => undefined,
        (error: unknown) => {
          kill();
          return { error };
        },
      ),
      command.exited,
    ]);
    if (carried !== undefined) throw carried.error;
    return code ?? KILLED;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
  }
}

class Bounded extends Transform {
  #bytes = 0;
  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_SNAPSHOT_BYTES) done(null, chunk);
    else done(new AppError('request_too_large', { snapshot: 'is too large', limitBytes: MAX_SNAPSHOT_BYTES }));
  }
}
