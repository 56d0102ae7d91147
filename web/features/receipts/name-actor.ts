import { receiptStrings as strings } from './strings.ts';

const USER = 'user:';

/** The actor at the start of a sentence: the reader, a member by name, or someone who has left. */
export function nameActor(actor: string, self: string, people: ReadonlyMap<string, string>): string {
  if (!actor.startsWith(USER)) return actor;
  const id = actor.slice(USER.length);
  return id === self ? strings.you : (people.get(id) ?? strings.formerMember);
}
