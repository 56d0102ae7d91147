// On platform credit everybody shares one key, so OpenAI is asked to store nothing: whoever has the key could refer to
// it. Reasoning then only goes on from one turn to the next in its encrypted form, which has to be asked for; without
// it, an item of reasoning names what is not stored anywhere and would be refused.
import { isAbsent, isObject, type Loose } from '../read-fields.ts';

const ENCRYPTED = 'reasoning.encrypted_content';

export function toUnstoredBody(body: Loose, { reasoning }: { readonly reasoning: boolean }): Loose {
  const { input, include } = body;
  return {
    ...body,
    ...(Array.isArray(input) ? { input: (input as readonly unknown[]).filter((item) => !isUnreadable(item)) } : {}),
    ...(reasoning && (isAbsent(include) || Array.isArray(include))
      ? { include: [...new Set([...((include ?? []) as readonly unknown[]), ENCRYPTED])] }
      : {}),
    store: false,
  };
}

function isUnreadable(item: unknown): boolean {
  return isObject(item) && item['type'] === 'reasoning' && isAbsent(item['encrypted_content']);
}
