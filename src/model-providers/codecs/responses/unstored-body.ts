// Where OpenAI stores nothing, reasoning continues across turns only in its encrypted form, which has to be requested;
// without it, a reasoning item refers to something that is not stored and would be refused.
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
  };
}

function isUnreadable(item: unknown): boolean {
  return isObject(item) && item['type'] === 'reasoning' && isAbsent(item['encrypted_content']);
}
