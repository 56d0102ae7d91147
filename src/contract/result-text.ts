// A run's result is whatever its engine returned; this is how people read it, in the browser and on the server alike.

/** The fields under which an engine puts what it has to say, the first that is there. */
const FIELDS = ['text', 'answer', 'summary'] as const;

/** Its words, or else the whole of it. */
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
