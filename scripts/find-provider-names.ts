// Finds places that know a model provider by its name. What differs between providers is a column of their table, so
// that a provider without an answer does not compile.
import { PROVIDERS } from '../src/model-providers/providers.ts';
import type { SourceFile } from './find-floor-faults.ts';

/** Where a name may be written, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/model-providers/providers.ts': 'the table itself',
  'src/model-providers/codecs/fields/cells.ts': 'the columns of the field tables, which the rows point to',
  'web/features/mcp-gateway/clients/chat-clients.ts': "names of the makers' own packages",
};

const NAME = new RegExp(`(['"\`])(?:${Object.keys(PROVIDERS).join('|')})\\1`, 'g');

/** Stand-ins are the world outside, and know it by name. */
export function findProviderNames(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !path.startsWith('stand-ins/') && !Object.hasOwn(ALLOWED, path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(NAME)].map(
        ([name]) =>
          `${path} names the provider ${name}: say in src/model-providers/providers.ts what differs, and ask it`,
      ),
    );
}
