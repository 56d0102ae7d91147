// A client may group functions in namespaces and offer tools that take plain text or that its protocol knows by type
// alone. Other protocols know only functions, with names of at most 64 characters. Each tool gets such a name: its own
// if possible and unique, otherwise a short one with a hash. Names depend only on the set of tools, so they are the
// same in every request of a conversation.
import { createHash } from 'node:crypto';
import type { NeutralRequest, NeutralTool, ToolOrigin } from './neutral.ts';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const CUT_AT = 51;
const HASH_LENGTH = 12;

export interface ToolNames {
  /** The provider's name for a tool. A tool that is no longer offered, but occurs in the conversation, gets one too. */
  flatten(origin: ToolOrigin): string;
}

export function nameTools(origins: readonly ToolOrigin[]): ToolNames {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const offered = new Map(origins.map((origin) => [keyOf(origin), origin]));

  function assign(origin: ToolOrigin, name: string): string {
    names.set(keyOf(origin), name);
    taken.add(name);
    return name;
  }

  function assignFree(origin: ToolOrigin): string {
    const preferred = preferredName(origin);
    if (preferred !== undefined && !taken.has(preferred)) return assign(origin, preferred);
    for (let round = 0; ; round += 1) {
      const name = hashName(origin, round);
      if (!taken.has(name)) return assign(origin, name);
    }
  }

  const preferences = new Map<string, number>();
  for (const origin of offered.values()) {
    if (isPlain(origin)) assign(origin, origin.name);
    else preferences.set(preferredName(origin) ?? '', (preferences.get(preferredName(origin) ?? '') ?? 0) + 1);
  }
  const others = [...offered.values()].filter((origin) => !isPlain(origin));
  for (const origin of others) {
    const preferred = preferredName(origin);
    if (preferred !== undefined && preferences.get(preferred) === 1 && !taken.has(preferred)) assign(origin, preferred);
  }
  // If two tools want a name, neither gets it: otherwise the result would depend on their order.
  for (const preferred of preferences.keys()) if (preferred !== '') taken.add(preferred);
  for (const origin of others) if (!names.has(keyOf(origin))) assignFree(origin);

  /** A call may omit the namespace if the name alone identifies the tool. */
  function findOffered(origin: ToolOrigin): ToolOrigin | undefined {
    if (isNamespaced(origin)) return undefined;
    const alike = [...offered.values()].filter(({ kind, name }) => kind === origin.kind && name === origin.name);
    return alike.length === 1 ? alike[0] : undefined;
  }

  return {
    flatten(origin) {
      const known = names.get(keyOf(origin));
      if (known !== undefined) return known;
      const meant = findOffered(origin);
      const name = meant === undefined ? undefined : names.get(keyOf(meant));
      return name ?? assignFree(origin);
    },
  };
}

/** Each tool once, under its provider name, with its origin if that is more than the name. */
export function flattenTools(tools: readonly OriginalTool[], names: ToolNames): NeutralTool[] {
  const flat = new Map<string, NeutralTool>();
  for (const { origin, ...tool } of tools) {
    const name = names.flatten(origin);
    const isSame = origin.kind === 'function' && !isNamespaced(origin) && name === origin.name;
    if (!flat.has(name)) flat.set(name, { ...tool, name, ...(isSame ? {} : { origin }) });
  }
  return [...flat.values()];
}

/**
 * Anthropic's clients may use names twice as long as OpenAI allows: such a tool, and calls to it, get a shorter name.
 */
export function shortenNames(request: NeutralRequest): NeutralRequest {
  if (
    request.tools.every(({ name }) => NAME.test(name)) &&
    request.messages.every(
      (message) =>
        message.role !== 'assistant' ||
        message.parts.every((part) => part.type !== 'tool-call' || NAME.test(part.name)),
    )
  )
    return request;
  const originals = request.tools.map(({ name, origin = { kind: 'function' as const, name }, ...tool }) => ({
    ...tool,
    origin,
  }));
  const names = nameTools(originals.map(({ origin }) => origin));
  const rename = (name: string): string => names.flatten({ kind: 'function', name });
  const { toolChoice } = request;
  return {
    ...request,
    tools: flattenTools(originals, names),
    ...(toolChoice?.type === 'named' ? { toolChoice: { type: 'named', name: rename(toolChoice.name) } } : {}),
    messages: request.messages.map((message) =>
      message.role === 'assistant'
        ? {
            ...message,
            parts: message.parts.map((part) =>
              part.type === 'tool-call' ? { ...part, name: rename(part.name) } : part,
            ),
          }
        : message,
    ),
  };
}

export type OriginalTool = Omit<NeutralTool, 'name' | 'origin'> & { readonly origin: ToolOrigin };

/** The client tool that a provider's call refers to. An unknown name is a function's. */
export function findOrigin(tools: readonly NeutralTool[] | undefined, name: string): ToolOrigin {
  return tools?.find((tool) => tool.name === name)?.origin ?? { kind: 'function', name };
}

/** The tools whose calls must be mapped back. */
export function mappedTools(tools: readonly NeutralTool[]): readonly NeutralTool[] | undefined {
  const mapped = tools.filter(({ origin }) => origin !== undefined);
  return mapped.length === 0 ? undefined : mapped;
}

export function isNamespaced({ namespace }: ToolOrigin): boolean {
  return namespace !== undefined && namespace !== '';
}

function isPlain(origin: ToolOrigin): boolean {
  return origin.kind === 'function' && !isNamespaced(origin) && NAME.test(origin.name);
}

/** Namespace names often already end in two underscores. */
function joinName({ namespace = '', name }: ToolOrigin): string {
  return namespace === '' ? name : `${namespace}${namespace.endsWith('__') ? '' : '__'}${name}`;
}

function preferredName(origin: ToolOrigin): string | undefined {
  const joined = joinName(origin);
  return NAME.test(joined) ? joined : undefined;
}

function hashName(origin: ToolOrigin, round: number): string {
  const hash = createHash('sha256')
    .update(`${keyOf(origin)}${round}`)
    .digest('hex')
    .slice(0, HASH_LENGTH);
  return `${joinName(origin)
    .replace(/[^a-zA-Z0-9_-]/g, '_')
    .slice(0, CUT_AT)}_${hash}`;
}

function keyOf({ kind, namespace = '', name }: ToolOrigin): string {
  return JSON.stringify([kind, namespace, name]);
}
