import { LANGUAGE, setTranslation } from './language/language.ts';

export async function loadTranslation(): Promise<void> {
  if (LANGUAGE === 'de') setTranslation((await import('./german.ts')).german);
}
