// Checks a repository out before a run begins, in its sandbox, where no code of the run has been yet. What it began from is
// kept outside: at the end the run is not asked.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { RunFailure, type RunAttempt } from '../../runs/delivery/engine.ts';
import { RUN_LOG } from '../../runs/record/run-log.ts';
import { storable } from '../../base/storable-json.ts';
import { MAX_FILE_BYTES } from '../../sandbox/protocol.ts';
import type { Log } from '../../telemetry/log.ts';
import type { KeptPack } from './kept-checkouts.ts';
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

const KEPT_FILE = '/workspace/.service-kept.pack';
const KEPT_REF = 'refs/service/kept';

/**
 * Arguments: the directory, the address at the broker, the address as people write it, the ref, the branch, and the commit
 * of the kept pack if there is one. Prints the commit, whether the git directory is its own, and whether the pack was of use.
 */
const SCRIPT = `
set -e
fresh=; used=; [ -e "$1/.git" ] || fresh=fresh
git init -q --template= "$1"
cd "$1"
git remote add origin "$2"
if [ -n "$fresh" ] && [ -n "$6" ] && pack=$(git index-pack --stdin < ${KEPT_FILE} 2>/dev/null); then
  printf '%s\\n' "$6" > .git/shallow
  # One that lacks something would leave holes in what is fetched on top of it.
  if git rev-list --objects --quiet "$6" 2>/dev/null; then git update-ref ${KEPT_REF} "$6"; used=used
  else rm -f .git/shallow ".git/objects/pack/pack-\${pack##*[[:space:]]}".*; fi
fi
rm -f ${KEPT_FILE}
git fetch -q --depth 1 --no-tags --no-recurse-submodules origin "\${4:-HEAD}" >&2
commit=$(git rev-parse --verify -q 'FETCH_HEAD^{commit}')
git -c core.hooksPath=/dev/null checkout -q -B "$5" "$commit" >&2
git update-ref refs/remotes/origin/HEAD "$commit"
[ -z "$used" ] || git update-ref -d ${KEPT_REF}
git remote set-url origin "$3"
printf '%s\\n' "$commit" "$fresh" "$used"
`;

const PACK_MS = 60_000;
const TOO_LARGE = 12;

/** Arguments: the directory and the commit. Prints the directory of the pack. */
const PACK_SCRIPT = `
set -e
cd "$1"
[ "$(du -sk .git | cut -f 1)" -le ${MAX_FILE_BYTES / 1024} ] || exit ${TOO_LARGE}
out=$(mktemp -d /workspace/.service-kept.XXXXXXXX)
printf '%s\\n' "$2" | git pack-objects -q --revs --stdout > "$out/pack"
if [ "$(stat -c %s "$out/pack")" -gt ${MAX_FILE_BYTES} ]; then rm -rf "$out"; exit ${TOO_LARGE}; fi
printf '%s\\n' "$out"
`;

export interface CheckoutTools {
  readonly exec: Exec;
  readonly read: (path: string, maxBytes: number) => Promise<Buffer>;
  readonly write: (path: string, bytes: Buffer) => Promise<void>;
  readonly log: Log;
}

export interface CheckoutNeeds {
  readonly plan: CheckoutPlan | undefined;
  /** The run whose files the sandbox has, if it has any. */
  readonly restoredFrom: string | undefined;
}

export async function checkOut(
  tools: CheckoutTools,
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
    base: await fetchCommit(tools, attempt.run.id, plan),
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

async function fetchCommit(tools: CheckoutTools, run: string, plan: CheckoutPlan): Promise<string> {
  const { directory, address, remote, ref = '', repository } = plan;
  const kept = await bringKept(tools, plan);
  const { code, reason, stdout, stderr } = await runGit(tools.exec, {
    script: SCRIPT,
    args: [directory, address, remote, ref, `runs/${run}`, kept?.commit ?? ''],
    network: true,
    timeoutMs: CHECKOUT_MS,
  });
  const [commit = '', fresh, used] = stdout.split('\n');
  if (code === 0 && /^[0-9a-f]{40,64}$/.test(commit)) {
    const isGood = kept !== undefined && used === 'used' && (!kept.isOld || kept.commit === commit);
    if (fresh === 'fresh' && !isGood) await keepPack(tools, plan, commit);
    return commit;
  }
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

/** A checkout does without it. */
async function bringKept({ write, log }: CheckoutTools, { kept }: CheckoutPlan): Promise<KeptPack | undefined> {
  try {
    const pack = await kept?.read();
    if (pack) await write(KEPT_FILE, pack.bytes);
    return pack;
  } catch (error) {
    log.warn({ err: error }, 'could not use what was kept of an earlier checkout');
    return undefined;
  }
}

/** Before the run begins: nothing of it has touched the repository. */
async function keepPack(
  { exec, read, log }: CheckoutTools,
  { kept, directory }: CheckoutPlan,
  commit: string,
): Promise<void> {
  if (kept === undefined) return;
  try {
    const { code, stdout, stderr } = await runGit(exec, {
      script: PACK_SCRIPT,
      args: [directory, commit],
      timeoutMs: PACK_MS,
    });
    if (code === TOO_LARGE) return;
    const out = stdout.trim();
    if (code !== 0 || !/^\/workspace\/\.service-kept\.\w+$/.test(out)) throw new Error(stderr.trim());
    await kept.replace(commit, await read(`${out}/pack`, MAX_FILE_BYTES));
    await runGit(exec, { script: 'rm -rf "$1"', args: [out], timeoutMs: PACK_MS });
  } catch (error) {
    log.warn({ err: error }, 'could not keep a checkout for later runs');
  }
}

export async function findCheckout(runDirectory: string): Promise<Checkout | undefined> {
  const text = await readFile(join(runDirectory, RUN_LOG, FILE), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : checkout.parse(JSON.parse(text));
}

async function keepCheckout(runDirectory: string, made: Checkout): Promise<void> {
  await mkdir(join(runDirectory, RUN_LOG), { recursive: true, mode: 0o700 });
  await writeFile(join(runDirectory, RUN_LOG, FILE), JSON.stringify(made), { mode: 0o600 });
}
