// Paths of a patch that a working copy does not take from a run: git refuses most of them too, but not in every version and
// on every system, and a run's patch is made by something that may have been talked into it.

/** Git's directory, also as Windows and macOS would read the name. */
const GIT_DIRECTORY = /^(?:\.git|git~\d+)[ .]*(?::.*)?$/i;
/** Characters that macOS ignores in names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Why, or undefined for a path that is fine. */
export function findPathFault(path: string): string | undefined {
  if (path === '' || path.startsWith('/') || /^[a-z]:/i.test(path)) return 'it is not below the working copy';
  const parts = path.split(/[/\\]/);
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'it leads out of the working copy';
  if (parts.some((part) => GIT_DIRECTORY.test(part.replaceAll(IGNORED, '')))) return "it is in git's own directory";
  return undefined;
}
