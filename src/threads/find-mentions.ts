// Capabilities mentioned in a message as `@provider` or `@provider.name`. Everything else is plain text: an email
// address, a person, a decorator.

/** Not in the middle of a word or an address. */
const MENTION = /(?<![\w@.+-])@([a-z0-9][a-z0-9-]*(?:\.[a-z0-9][a-z0-9._-]*)?)/gi;

/** Everything that looks like a capability, each once, in order. Trailing punctuation is not part of a name. */
export function mentionedKeys(text: string): string[] {
  return [...new Set([...text.matchAll(MENTION)].map(([, key = '']) => key.toLowerCase().replace(/[._-]+$/, '')))];
}

/** The mentions that are capabilities. */
export function findMentions(text: string, exists: (key: string) => boolean): string[] {
  return mentionedKeys(text).filter(exists);
}
