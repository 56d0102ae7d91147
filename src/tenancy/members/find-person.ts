import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';

/** Throws `not_found`. */
export async function findPerson(
  db: Queryable,
  id: string,
): Promise<{ readonly name: string; readonly language: 'en' | 'de' | undefined }> {
  const { rows } = await db.query<{ name: string; language: 'en' | 'de' | null }>(
    'select name, language from :schema.identity_user where id = $1',
    [id],
  );
  const [person] = rows;
  if (!person) throw new AppError('not_found');
  return { name: person.name, language: person.language ?? undefined };
}
