// Compares a work tree with the commit that it began from, inside the sandbox. The run owns the work tree and its .git,
// so neither is asked: the comparison has a git directory of its own, which borrows only the objects. Hooks, filters,
// drivers, monitors and included configuration of the run are therefore never read.

/** The most that is kept of a patch; one byte more shows that there was more. */
export const PATCH_BYTES = 10 * 1024 * 1024;
export const LIST_BYTES = 2 * 1024 * 1024;
export const PATCH = 'patch';
export const LIST = 'list';

/** Exit codes: there is no repository, or more than one; it cannot be read; the disk of the sandbox is full. */
export const NO_REPOSITORY = 10;
export const UNREADABLE = 11;
export const NO_ROOM = 13;

/** Sets `git` (options that overrule the run's configuration) and `own` (an empty git directory, with its objects). */
export const OWN_DIRECTORY = `
fail() { echo "$2" >&2; exit "$1"; }
plain() { git -c core.hooksPath=/dev/null -c core.fsmonitor= -c core.attributesFile=/dev/null -c core.excludesFile=/dev/null -c gc.auto=0 -c advice.addEmbeddedRepo=false -c safe.directory='*' "$@"; }
borrow() { # own, work tree, base
  local format=sha1; [ \${#3} -eq 64 ] && format=sha256
  plain init -q --bare --template= --object-format=$format "$1" || return 1
  mkdir -p "$1/objects/info" "$1/info"
  printf '%s\\n' "$2/.git/objects" > "$1/objects/info/alternates"
  if [ -f "$2/.git/shallow" ] && [ ! -L "$2/.git/shallow" ]; then head -c 1048576 "$2/.git/shallow" > "$1/shallow"; fi
  # Above any .gitattributes of the work tree.
  printf '* !diff !filter !merge\\n' > "$1/info/attributes"
  printf '/.service/\\n/.service-changes.*/\\n' > "$1/info/exclude"
}
`;

/**
 * Arguments: the work tree and its base, or two empty ones for the only clone in /workspace. Prints the directory of
 * the outcome, the base, and the address of the repository, a line each.
 */
export const CHANGES_SCRIPT = `${OWN_DIRECTORY}
tree=$1; base=$2
command -v git >/dev/null || fail ${NO_REPOSITORY} 'git is not installed'
if [ -z "$tree" ]; then
  found=(); while IFS= read -r -d '' each; do found+=("$each"); done < <(find /workspace -maxdepth 2 -name .git -type d -print0 2>/dev/null | head -zn 2)
  [ \${#found[@]} -eq 1 ] || fail ${NO_REPOSITORY} 'not exactly one clone'
  tree=\${found[0]%/.git}
  base=$(plain --git-dir="$tree/.git" merge-base HEAD refs/remotes/origin/HEAD 2>/dev/null) || base=$(plain --git-dir="$tree/.git" rev-parse --verify -q 'refs/remotes/origin/HEAD^{commit}') || fail ${NO_REPOSITORY} 'not a clone'
  address=$(plain --git-dir="$tree/.git" config --local --no-includes --get remote.origin.url | head -n 1)
fi
[ -d "$tree" ] && [ ! -L "$tree" ] && [ -d "$tree/.git" ] || fail ${UNREADABLE} 'the work tree or its .git is gone'
rm -rf /workspace/.service-changes.*
out=$(mktemp -d /workspace/.service-changes.XXXXXXXX) || fail ${NO_ROOM} 'no room'
borrow "$out/git" "$tree" "$base" || fail ${NO_ROOM} 'no room'
export GIT_DIR=$out/git GIT_WORK_TREE=$tree
cd "$tree" || fail ${UNREADABLE} 'the work tree is gone'
plain read-tree "$base" || fail ${UNREADABLE} 'its base is gone'
plain add -A --ignore-errors -- . >/dev/null 2>&1
compare=(diff --cached --no-ext-diff --no-textconv --no-color --find-renames --full-index --src-prefix=a/ --dst-prefix=b/ --ignore-submodules=none)
plain "\${compare[@]}" -z --raw --numstat "$base" -- | head -c ${LIST_BYTES + 1} > "$out/${LIST}" || fail ${NO_ROOM} 'no room'
plain "\${compare[@]}" --binary "$base" -- | head -c ${PATCH_BYTES + 1} > "$out/${PATCH}" || fail ${NO_ROOM} 'no room'
rm -rf "$out/git"
printf '%s\\n' "$out" "$base" "$address"
`;
