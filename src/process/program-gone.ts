// A program loads some of its files only when it needs them. If they have been removed or replaced in the meantime, it
// can never do that work again, but a newly started process can: so it has to stop.
import { registerHooks } from 'node:module';

/** Whether an import failed because a file of the program is missing, as opposed to a package that is not installed. */
export function isProgramGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, url } = error as { code?: unknown; url?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' && typeof url === 'string' && url.startsWith('file:');
}

/** Reports every import that fails this way, even if its error is caught. */
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
