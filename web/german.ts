// Every German text, as one chunk.
const tables = import.meta.glob<Readonly<Record<string, unknown>>>('./**/*strings.de.ts', {
  eager: true,
  import: 'german',
});

export const german: Readonly<Record<string, unknown>> = Object.assign({}, ...Object.values(tables));
