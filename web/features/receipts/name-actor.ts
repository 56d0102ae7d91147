import { receiptStrings as strings } from './strings.ts';

const USER = 'user:';

/** The actor: the reader, a member by name, or else the id in the receipt. */
export function nameActor(actor: string, self: string, people: ReadonlyMap<string, string>): string {
  if (!actor.startsWith(USER)) return actor;
  const id = actor.slice(USER.length);
  return id === self ? strings.you : (people.get(id) ?? actor);
}
