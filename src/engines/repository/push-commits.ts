// Pushes the commits of a run from a sandbox of its own, in which nothing of the run executes: it has the bundle as a file,
// and its only way out lets one branch be created or updated. A credential is added outside, as everywhere.
import { storable } from '../../base/storable-json.ts';
import { SANDBOX_NODE } from '../../sandbox/bubblewrap/launch-arguments.ts';
import type { SandboxClient } from '../../sandbox/client.ts';
import { ASK_BROKER } from '../../sandbox/egress/ask-broker.ts';
import { LIMITS } from '../../sandbox/limits.ts';
import { RETRIES } from '../../timing/retry-policies.ts';
import { retry } from '../../timing/retry.ts';
import type { Checkout } from './check-out.ts';
import { DELIVERED_REF } from './pack-commits.ts';
import { API_BROKER, DeliveryRefused, type DeliveryPlan } from './plan-delivery.ts';
import type { PullRequest } from './pull-requests.ts';
import { type Exec, runGit } from './run-git.ts';

const BUNDLE = '/workspace/commits.bundle';
const PUSH_MS = 5 * 60_000;
const ASK_MS = 60_000;
const LIFE_MS = 10 * 60_000;
const SAID_CHARS = 300;

export interface Delivered {
  readonly branch: string;
  readonly commit: string;
  /** Of the pull request. */
  readonly url?: string;
  /** Why there is a branch but no pull request. */
  readonly problem?: string;
}

/** Arguments: the address, the base, the branch, the ref that was checked out. Prints the commit and the target branch. */
const SCRIPT = `
set -e
export GIT_ALLOW_PROTOCOL=http:https:file
git init -q --bare --template= /workspace/pushing
cd /workspace/pushing
git config transfer.fsckObjects true
git config core.hooksPath /dev/null
git config http.postBuffer 134217728
git fetch -q --depth 1 --no-tags "$1" "$2" >&2
git fetch -q --no-tags ${BUNDLE} ${DELIVERED_REF}:${DELIVERED_REF} >&2
commit=$(git rev-parse --verify -q '${DELIVERED_REF}^{commit}')
git merge-base --is-ancestor "$2" "$commit"
git push -q "$1" "+$commit:refs/heads/$3" >&2
heads=$(git ls-remote --symref "$1" HEAD "refs/heads/$4")
target=$(printf '%s\\n' "$heads" | sed -n 's#^ref: refs/heads/\\([^\\t]*\\)\\tHEAD$#\\1#p')
if [ -n "$4" ] && printf '%s\\n' "$heads" | grep -qF "$(printf '\\t')refs/heads/$4"; then target=$4; fi
printf '%s\\n' "$commit" "$target"
`;

export async function pushCommits(
  client: SandboxClient,
  {
    plan,
    checkout,
    bundle,
    request,
  }: {
    readonly plan: DeliveryPlan;
    readonly checkout: Checkout;
    readonly bundle: Buffer;
    readonly request: Pick<PullRequest, 'title' | 'text'>;
  },
  signal: AbortSignal,
): Promise<Delivered> {
  const input = { network: plan.network, limits: { diskBytes: LIMITS.diskBytes.default }, ttlMs: LIFE_MS };
  const { id } = await retry(RETRIES.sandboxStart, () => client.create(input), { signal });
  const exec: Exec = (input) => client.exec(id, input, signal);
  try {
    await client.writeFile(id, BUNDLE, bundle);
    const { code, reason, stdout, stderr } = await runGit(exec, {
      script: SCRIPT,
      args: [plan.address, checkout.base, plan.branch, checkout.ref ?? ''],
      network: true,
      timeoutMs: PUSH_MS,
    });
    const [commit = '', target = ''] = stdout.split('\n');
    if (code !== 0 || !/^[0-9a-f]{40,64}$/.test(commit))
      throw new DeliveryRefused(
        reason === 'timeout' ? 'pushing took too long' : `git could not push: ${lastLine(stderr)}`,
      );
    const pushed = { branch: plan.branch, commit };
    if (plan.api === undefined) return pushed;
    if (target === '') return { ...pushed, problem: 'the repository has no default branch' };
    return { ...pushed, ...(await openPullRequest(exec, plan, { ...request, branch: plan.branch, target })) };
  } finally {
    await client.destroy(id).catch(() => {});
  }
}

async function openPullRequest(
  exec: Exec,
  { api, host }: DeliveryPlan,
  request: PullRequest,
): Promise<Pick<Delivered, 'url' | 'problem'>> {
  if (api === undefined) return {};
  const found = api.find && (await ask(exec, api.find));
  if (found !== undefined && found.status !== 200)
    return { problem: `the code host answered ${found.status} when it was asked for the repository` };
  const wanted = api.create(request, found?.body);
  if (wanted === undefined) return { problem: 'the code host does not list the repository' };
  const { status, body } = await ask(exec, wanted);
  const url = api.address(body);
  if (status === 201 && typeof url === 'string' && isAtHost(url, host)) return { url };
  return { problem: `the code host answered ${status} when it was asked for the pull request` };
}

async function ask(
  exec: Exec,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body?: unknown },
): Promise<{ readonly status: number; readonly body: unknown }> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const { code, stdout } = await runGit(exec, {
    script: `exec ${SANDBOX_NODE} -e "$1" -- "$2" "$3" "$4" "$5"`,
    args: [ASK_BROKER, API_BROKER, method, path, text],
    timeoutMs: ASK_MS,
  });
  const end = stdout.indexOf('\n');
  if (code !== 0 || end === -1) return { status: 0, body: undefined };
  return { status: Number(stdout.slice(0, end)), body: parse(stdout.slice(end + 1)) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the host says is shown as a link: it must lead to the host. */
function isAtHost(url: string, host: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && new URL(url).host === host;
}

function lastLine(said: string): string {
  const lines = said.trim().split('\n');
  const telling = lines.findLast((line) => /^(?:fatal|error|remote| ! )/.test(line)) ?? lines.at(-1) ?? '';
  return storable(telling.trim().slice(0, SAID_CHARS));
}
