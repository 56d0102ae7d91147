import { LANGUAGE, setTranslation } from './language/language.ts';

export async function loadTranslation(): Promise<void> {
  if (LANGUAGE !== 'de') return;
  // A connection that broke is tried once more.
  const { german } = await import('./german.ts').catch(() => import('./german.ts'));
  setTranslation(german);
}
