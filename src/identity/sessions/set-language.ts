import type { Queryable } from '../../store/database.ts';

/** Of the app, at the last sign-in. Mail is written in it. */
export async function setLanguage(db: Queryable, email: string, language: 'en' | 'de'): Promise<void> {
  await db.query('update :schema.identity_user set language = $2 where email = $1 and language is distinct from $2', [
    email,
    language,
  ]);
}
