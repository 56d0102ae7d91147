// At the end of a run whose commits are to be delivered: they leave its sandbox as a bundle, in a file beside its log. What
// it did not commit becomes one commit. The bundle is the run's work and is trusted no more than its other files.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RUN_LOG } from '../../runs/record/run-log.ts';
import { MAX_FILE_BYTES } from '../../sandbox/protocol.ts';
import { NO_ROOM, OWN_DIRECTORY, UNREADABLE } from './changes-script.ts';
import type { Checkout } from './check-out.ts';
import { type Exec, runGit } from './run-git.ts';

const FILE = 'commits.bundle';
const PACK_MS = 60_000;
const NOTHING = 12;
export const DELIVERED_REF = 'refs/heads/delivered';

/** Arguments: the work tree, its base. Prints the directory of the bundle. */
const SCRIPT = `${OWN_DIRECTORY}
tree=$1; base=$2
[ -d "$tree" ] && [ ! -L "$tree" ] && [ -d "$tree/.git" ] || fail ${UNREADABLE} 'the work tree or its .git is gone'
rm -rf /workspace/.service-changes.*
out=$(mktemp -d /workspace/.service-changes.XXXXXXXX) || fail ${NO_ROOM} 'no room'
borrow "$out/git" "$tree" "$base" || fail ${NO_ROOM} 'no room'
head=$(plain --git-dir="$tree/.git" rev-parse -q --verify 'HEAD^{commit}') || head=$base
export GIT_DIR=$out/git GIT_WORK_TREE=$tree GIT_LITERAL_PATHSPECS=1
export GIT_AUTHOR_NAME='Service run' GIT_AUTHOR_EMAIL=run@service.invalid
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
cd "$tree" || fail ${UNREADABLE} 'the work tree is gone'
plain read-tree "$head" || fail ${UNREADABLE} 'its commits are gone'
plain add -A --ignore-errors -- . >/dev/null 2>&1
# A clone inside the work tree would become a submodule that no one can fetch.
while IFS= read -r -d '' entry; do
  path=\${entry#*$'\\t'}
  [ -n "$(plain ls-tree "$base" -- "$path")" ] || plain update-index --force-remove -- "$path"
done < <(plain ls-files -s -z | grep -z '^160000')
content=$(plain write-tree) || fail ${NO_ROOM} 'no room'
[ "$content" = "$(plain rev-parse "$base^{tree}")" ] && fail ${NOTHING} 'nothing was changed'
if ! plain merge-base --is-ancestor "$base" "$head" 2>/dev/null; then
  commit=$(plain commit-tree "$content" -p "$base" -m 'Changes of the run')
elif [ "$content" = "$(plain rev-parse "$head^{tree}")" ]; then commit=$head
else commit=$(plain commit-tree "$content" -p "$head" -m 'What the run did not commit')
fi
[ -n "$commit" ] || fail ${NO_ROOM} 'no room'
plain update-ref ${DELIVERED_REF} "$commit" || fail ${UNREADABLE} 'its commits are gone'
plain bundle create -q "$out/bundle" "$base..${DELIVERED_REF}" >&2 || fail ${UNREADABLE} 'its commits are not complete'
rm -rf "$out/git"
printf '%s\\n' "$out"
`;

/** Keeps the bundle, or nothing where nothing was changed. Throws in words for the person if it cannot. */
export async function packCommits(
  exec: Exec,
  readBundle: (path: string, maxBytes: number) => Promise<Buffer>,
  runDirectory: string,
  { directory, base }: Checkout,
): Promise<void> {
  await removeBundle(runDirectory);
  const { code, reason, stdout, stderr } = await runGit(exec, {
    script: SCRIPT,
    args: [directory, base],
    timeoutMs: PACK_MS,
  });
  if (code === NOTHING) return;
  const out = stdout.trim();
  if (code !== 0 || !/^\/workspace\/\.service-changes\.\w+$/.test(out))
    throw new Error(
      reason === 'timeout' ? 'packing the commits took too long' : (stderr.trim().split('\n').at(-1) ?? ''),
    );
  const bundle = await readBundle(`${out}/bundle`, MAX_FILE_BYTES);
  await mkdir(join(runDirectory, RUN_LOG), { recursive: true, mode: 0o700 });
  await writeFile(join(runDirectory, RUN_LOG, FILE), bundle, { mode: 0o600 });
}

export async function findBundle(runDirectory: string): Promise<Buffer | undefined> {
  return readFile(join(runDirectory, RUN_LOG, FILE)).catch(() => undefined);
}

export async function removeBundle(runDirectory: string): Promise<void> {
  await rm(join(runDirectory, RUN_LOG, FILE), { force: true });
}
