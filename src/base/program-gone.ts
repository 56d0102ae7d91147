// A program loads some of its files only when it needs them. Where somebody has removed or replaced them meanwhile it
// can never do that work again, while the one that would be started now can: it has to end.
import { registerHooks } from 'node:module';

/** Whether an import failed because a file of the program is not there; a package that is not installed is something else. */
export function isProgramGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, url } = error as { code?: unknown; url?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' && typeof url === 'string' && url.startsWith('file:');
}

/** Tells of every import that fails so, whoever asked for it and whatever becomes of its error. */
export function watchProgram(onGone: (error: unknown) => void): void {
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        if (isProgramGone(error)) onGone(error);
        throw error;
      }
    },
  });
}
