// Whether a GraphQL request only reads, according to the reference implementation's parser. A request that passes is
// serialised again from the parsed form, without comments, byte order marks and block strings, so that no other parser
// of GraphQL or JSON can read it differently. Anything that is not certainly a read is refused.
import type { DocumentNode } from 'graphql/language/ast.js';
import { Kind } from 'graphql/language/kinds.js';
import { parse } from 'graphql/language/parser.js';
import { print } from 'graphql/language/printer.js';
import { visit } from 'graphql/language/visitor.js';

const MAX_TOKENS = 20_000;
/**
 * Anything else, such as `extensions` with the hash of a stored query, could refer to an operation that is not visible
 * here.
 */
const KNOWN: ReadonlySet<string> = new Set(['query', 'variables', 'operationName']);

/** The request body as parsed here; undefined for one that may write. */
export function readOnlyQuery(body: string): string | undefined {
  const request = orUndefined(() => JSON.parse(body) as unknown);
  // Batches are not supported.
  if (!isObject(request) || !Object.keys(request).every((key) => KNOWN.has(key))) return undefined;
  const { query, variables = null, operationName = null } = request;
  if (
    typeof query !== 'string' ||
    !(variables === null || isObject(variables)) ||
    !(operationName === null || typeof operationName === 'string')
  )
    return undefined;
  const plain = orUndefined(() => {
    const document = parse(query, { noLocation: true, maxTokens: MAX_TOKENS });
    return onlyReads(document) ? print(withoutBlockTexts(document)) : undefined;
  });
  if (plain === undefined) return undefined;
  return JSON.stringify({
    query: plain,
    ...(variables === null ? {} : { variables }),
    ...(operationName === null ? {} : { operationName }),
  });
}

/** Checks every operation, whichever of them is selected, and allows nothing but operations and fragments. */
function onlyReads({ definitions }: DocumentNode): boolean {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return (
    operations.length > 0 &&
    operations.every(({ operation }) => operation === 'query') &&
    definitions.every(({ kind }) => kind === Kind.OPERATION_DEFINITION || kind === Kind.FRAGMENT_DEFINITION)
  );
}

function withoutBlockTexts(document: DocumentNode): DocumentNode {
  return visit(document, { StringValue: (node) => (node.block === true ? { ...node, block: false } : undefined) });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A query that cannot be parsed, or nests too deeply, is not judged. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
