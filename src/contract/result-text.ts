// A run's result is whatever its engine returned; this is its readable form, in the browser and on the server.

/** Fields in which an engine puts its text; the first one present is used. */
const FIELDS = ['text', 'answer', 'summary'] as const;

/** The text of a result, or the whole result as JSON. */
export function resultText(result: unknown): string | undefined {
  if (result === undefined || result === null) return undefined;
  if (typeof result === 'string') return result;
  if (typeof result === 'object') {
    for (const field of FIELDS) {
      const value: unknown = Reflect.get(result, field);
      if (typeof value === 'string' && value !== '') return value;
    }
  }
  return `\`\`\`json\n${JSON.stringify(result, undefined, 2)}\n\`\`\``;
}
