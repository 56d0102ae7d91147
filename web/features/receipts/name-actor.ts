import { receiptStrings as strings } from './strings.ts';

const USER = 'user:';

/** Who did it: the reader, a person of the organization by name, or else as it is written in the receipt. */
export function nameActor(actor: string, self: string, people: ReadonlyMap<string, string>): string {
  if (!actor.startsWith(USER)) return actor;
  const id = actor.slice(USER.length);
  return id === self ? strings.you : (people.get(id) ?? actor);
}
