// Checks a repository out before a run begins, in its sandbox, where no code of the run has been yet. What it began from is
// kept outside: at the end the run is not asked.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { RunFailure, type RunAttempt } from '../../runs/delivery/engine.ts';
import { RUN_LOG } from '../../runs/record/run-log.ts';
import { storable } from '../../base/storable-json.ts';
import type { CheckoutPlan } from './plan-checkout.ts';
import { type Exec, runGit } from './run-git.ts';

const checkout = z.object({
  connection: z.string(),
  repository: z.string(),
  directory: z.string(),
  /** What it was checked out at; also the branch of a pull request, if it is one. */
  ref: z.string().optional(),
  base: z.string(),
});
/** What the service checked out. */
export type Checkout = z.infer<typeof checkout>;

const FILE = 'checkout.json';
const CHECKOUT_MS = 5 * 60_000;
const SAID_CHARS = 300;

/** Arguments: the directory, the address at the broker, the address as people write it, the ref, and the branch. */
const SCRIPT = `
set -e
git init -q --template= "$1"
cd "$1"
git remote add origin "$2"
git fetch -q --depth 1 --no-tags --no-recurse-submodules origin "\${4:-HEAD}" >&2
commit=$(git rev-parse --verify -q 'FETCH_HEAD^{commit}')
git -c core.hooksPath=/dev/null checkout -q -B "$5" "$commit" >&2
git update-ref refs/remotes/origin/HEAD "$commit"
git remote set-url origin "$3"
printf '%s\\n' "$commit"
`;

export interface CheckoutNeeds {
  readonly plan: CheckoutPlan | undefined;
  /** The run whose files the sandbox has, if it has any. */
  readonly restoredFrom: string | undefined;
}

export async function checkOut(
  exec: Exec,
  attempt: Pick<RunAttempt, 'run' | 'artifacts' | 'progress'>,
  { plan, restoredFrom }: CheckoutNeeds,
): Promise<Checkout | undefined> {
  if (plan === undefined && restoredFrom === undefined) return undefined;
  const directory = await attempt.artifacts();
  if (restoredFrom !== undefined) {
    const kept = await findCheckout(join(dirname(directory), restoredFrom));
    if (kept !== undefined) await keepCheckout(directory, kept);
    if (kept !== undefined) return kept;
  }
  if (plan === undefined) return undefined;
  const made: Checkout = {
    connection: plan.connection,
    repository: plan.repository,
    directory: plan.directory,
    ...(plan.ref === undefined ? {} : { ref: plan.ref }),
    base: await fetchCommit(exec, attempt.run.id, plan),
  };
  await keepCheckout(directory, made);
  await attempt.progress({
    type: 'checkout',
    repository: made.repository,
    commit: made.base,
    ...(made.ref === undefined ? {} : { ref: made.ref }),
  });
  return made;
}

async function fetchCommit(
  exec: Exec,
  run: string,
  { directory, address, remote, ref = '', repository }: CheckoutPlan,
): Promise<string> {
  const { code, reason, stdout, stderr } = await runGit(exec, {
    script: SCRIPT,
    args: [directory, address, remote, ref, `runs/${run}`],
    network: true,
    timeoutMs: CHECKOUT_MS,
  });
  const commit = stdout.trim();
  if (code === 0 && /^[0-9a-f]{40,64}$/.test(commit)) return commit;
  const why =
    reason === 'timeout'
      ? `it took longer than ${CHECKOUT_MS / 60_000} minutes`
      : reason === 'disk_full'
        ? 'it is larger than the disk of the sandbox'
        : code === 127
          ? 'git is not installed in the sandbox; ask your operator'
          : storable(stderr.trim().split('\n').at(-1)?.slice(0, SAID_CHARS) ?? '');
  throw new RunFailure(
    'repository_checkout_failed',
    `${repository}${ref === '' ? '' : ` at ${ref}`} could not be checked out: ${why}`,
  );
}

export async function findCheckout(runDirectory: string): Promise<Checkout | undefined> {
  const text = await readFile(join(runDirectory, RUN_LOG, FILE), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : checkout.parse(JSON.parse(text));
}

async function keepCheckout(runDirectory: string, made: Checkout): Promise<void> {
  await mkdir(join(runDirectory, RUN_LOG), { recursive: true, mode: 0o700 });
  await writeFile(join(runDirectory, RUN_LOG, FILE), JSON.stringify(made), { mode: 0o600 });
}
