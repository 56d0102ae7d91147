// Every German text, as one chunk.
const tables = import.meta.glob<Readonly<Record<string, unknown>>>('./**/*strings.de.ts', {
  eager: true,
  import: 'german',
});

const MANIFESTS = '../connectors/';
const manifests = import.meta.glob('../connectors/*.json', { eager: true, import: 'german' });
const connectorTexts = Object.fromEntries(
  Object.entries(manifests).map(([path, texts]) => [path.slice(MANIFESTS.length, -'.json'.length), texts]),
);

export const german: Readonly<Record<string, unknown>> = Object.assign({ connectorTexts }, ...Object.values(tables));
