// At the end of a run: what it changed in its repository. Computed in the sandbox, parsed and kept here. It says what the
// work tree is, not how it came to be so: a run may lie about its history, but not about the files that a patch would
// write.
import { AppError } from '../../base/errors.ts';
import type { Changes } from '../../contract/patches/run-changes.ts';
import type { RunAttempt } from '../../runs/delivery/engine.ts';
import { keepChanges } from '../../runs/record/run-changes.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import type { Log } from '../../telemetry/log.ts';
import { CHANGES_SCRIPT, LIST, LIST_BYTES, NO_REPOSITORY, PATCH, PATCH_BYTES } from './changes-script.ts';
import type { Checkout } from './check-out.ts';
import { readList } from './read-list.ts';
import { runGit } from './run-git.ts';

const COMPARE_MS = 60_000;
const NEXT_FILE = Buffer.from('\ndiff --git ');

type Collecting = Pick<RunAttempt, 'run' | 'artifacts' | 'storage' | 'progress'>;

interface ChangedSandbox {
  readonly client: Pick<SandboxClient, 'exec' | 'readFile'>;
  readonly id: string;
  /** What the service checked out there, if it did. */
  readonly checkout: Checkout | undefined;
}

/** Never fails the run: what it answered counts more than what is shown of it. */
export async function collectChanges(
  sandbox: ChangedSandbox,
  attempt: Collecting,
  signal: AbortSignal,
  log: Log,
): Promise<Changes | undefined> {
  try {
    return await collect(sandbox, attempt, signal);
  } catch (error) {
    log.warn({ job: attempt.run.id, err: error }, 'could not collect what a run changed');
    return undefined;
  }
}

async function collect(
  { client, id, checkout }: ChangedSandbox,
  attempt: Collecting,
  signal: AbortSignal,
): Promise<Changes | undefined> {
  const { code, reason, stdout, stderr } = await runGit((input) => client.exec(id, input, signal), {
    script: CHANGES_SCRIPT,
    args: [checkout?.directory ?? '', checkout?.base ?? ''],
    timeoutMs: COMPARE_MS,
  });
  if (code === NO_REPOSITORY) return undefined;
  const [directory = '', base = '', address = ''] = stdout.split('\n');
  if (code !== 0 || !/^\/workspace\/\.service-changes\.\w+$/.test(directory) || !/^[0-9a-f]{40,64}$/.test(base))
    throw new Error(`git could not compare: ${reason ?? code}: ${stderr}`);
  const { files, total } = readList(await client.readFile(id, `${directory}/${LIST}`, LIST_BYTES + 1));
  const patch = cutPatch(await client.readFile(id, `${directory}/${PATCH}`, PATCH_BYTES + 1));
  const fits = attempt.storage === undefined || (await attempt.storage.take(patch.bytes.length));
  const kept = await keepChanges(
    await attempt.artifacts(),
    { repository: checkout?.repository ?? nameRepository(address), base, total, files },
    fits ? patch : undefined,
  );
  await attempt
    .progress({ type: 'changes', ...total, ...(kept.patch === undefined ? {} : { patch: { ...kept.patch } }) })
    // A run that was ended from outside takes no more receipts, but its changes are kept.
    .catch((error: unknown) => {
      if (error instanceof AppError) throw error;
    });
  return kept;
}

/** Whole files only, so that what is left can be applied. */
export function cutPatch(bytes: Buffer): { bytes: Buffer; cut: boolean } {
  if (bytes.length <= PATCH_BYTES) return { bytes, cut: false };
  const last = bytes.subarray(0, PATCH_BYTES).lastIndexOf(NEXT_FILE);
  return { bytes: bytes.subarray(0, last + 1), cut: true };
}

/** Of an address that the run has chosen: its path, without credentials. */
export function nameRepository(address: string): string {
  const path = URL.canParse(address) ? new URL(address).pathname : address.replace(/^[^:]*@[^:]*:/, '');
  const name = path.replace(/^\/+/, '').replace(/\.git\/?$/, '');
  return /^[\w./-]{1,200}$/.test(name) ? name : '';
}
