// What widely used MCP clients and model APIs reject or mangle, as a table. A tool that breaks a rule is dropped by
// some client, or makes it drop the whole list.
import type { AdvertisedTool } from '../../../src/catalog/advertise-tool.ts';
import { isObject, type Loose } from '../../../src/catalog/loose-json.ts';

/** 64 minus the `mcp__<server>__` prefix that clients add. */
const MAX_NAME = 48;
const MAX_DESCRIPTION = 1024;
const MAX_DEPTH = 5;
const MAX_TOOL_BYTES = 4096;
/** About 180 tokens, at four bytes each: a client with every app connected sends all tools with each request. */
const MAX_MEAN_BYTES = 704;

const ROOT_KEYWORDS = ['type', 'properties', 'required', 'additionalProperties'];
const REFUSED_KEYWORDS = [
  '$ref',
  '$defs',
  'definitions',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'default',
  'const',
  'format',
  'patternProperties',
  'nullable',
];

const PORTABILITY_RULES = {
  name: {
    says: `a name is letters, digits, _ and -, at most ${MAX_NAME}`,
    find: ({ name }) => (/^[A-Za-z0-9_-]+$/.test(name) && name.length <= MAX_NAME ? [] : [name]),
  },
  description: {
    says: `a description has 1 to ${MAX_DESCRIPTION} characters and no control characters`,
    find: ({ description }) =>
      description.length > 0 && description.length <= MAX_DESCRIPTION && !/\p{Cc}/u.test(description)
        ? []
        : [description],
  },
  root: {
    says: 'the root of a schema is a plain closed object: no anyOf, oneOf, allOf, $ref or $defs',
    find: ({ inputSchema }) => [
      ...Object.keys(inputSchema).filter((key) => !ROOT_KEYWORDS.includes(key)),
      ...(inputSchema.type === 'object' && isObject(inputSchema.properties) && !inputSchema.additionalProperties
        ? []
        : ['not a closed object']),
    ],
  },
  keywords: {
    says: 'no reference, combination, default or format anywhere',
    find: ({ inputSchema }) =>
      listNodes(inputSchema).flatMap(({ node, at }) =>
        REFUSED_KEYWORDS.filter((key) => Object.hasOwn(node, key)).map((key) => `${at} uses ${key}`),
      ),
  },
  'property-names': {
    says: 'a property name is letters, digits, _, . and -, at most 64',
    find: ({ inputSchema }) =>
      listNodes(inputSchema).flatMap(({ node, at }) =>
        isObject(node['properties'])
          ? Object.keys(node['properties'])
              .filter((name) => !/^[A-Za-z0-9_.-]{1,64}$/.test(name))
              .map((name) => `${at}.${name}`)
          : [],
      ),
  },
  patterns: {
    says: 'a pattern is anchored and needs no look-around or back-reference',
    find: ({ inputSchema }) =>
      listNodes(inputSchema).flatMap(({ node: { pattern }, at }) =>
        pattern === undefined ||
        (typeof pattern === 'string' && pattern.startsWith('^') && !/\(\?|\\[1-9]/.test(pattern))
          ? []
          : [`${at} has ${String(pattern)}`],
      ),
  },
  depth: {
    says: `a schema nests at most ${MAX_DEPTH} levels`,
    find: ({ inputSchema }) =>
      listNodes(inputSchema)
        .filter(({ depth }) => depth > MAX_DEPTH)
        .map(({ at }) => at),
  },
  size: {
    says: `a tool is at most ${MAX_TOOL_BYTES} bytes of JSON`,
    find: (tool) => (bytesOf(tool) <= MAX_TOOL_BYTES ? [] : [`${bytesOf(tool)} bytes`]),
  },
} as const satisfies Record<string, { says: string; find: (tool: AdvertisedTool) => readonly string[] }>;

export type PortabilityRule = keyof typeof PORTABILITY_RULES | 'unique-names' | 'list-size';

export interface PortabilityFault {
  readonly tool: string;
  readonly rule: PortabilityRule;
  readonly message: string;
}

export function lintPortability(tools: readonly AdvertisedTool[]): PortabilityFault[] {
  const names = tools.map(({ name }) => name);
  const mean = Math.round(bytesOf(tools) / tools.length);
  return [
    ...tools.flatMap((tool) =>
      (Object.keys(PORTABILITY_RULES) as (keyof typeof PORTABILITY_RULES)[]).flatMap((rule) =>
        PORTABILITY_RULES[rule].find(tool).map((message) => ({ tool: tool.name, rule, message })),
      ),
    ),
    ...names
      .filter((name, at) => names.indexOf(name) !== at)
      .map((tool) => ({ tool, rule: 'unique-names' as const, message: 'appears twice' })),
    ...(mean <= MAX_MEAN_BYTES
      ? []
      : [{ tool: '*', rule: 'list-size' as const, message: `a tool is ${mean} bytes on average` }]),
  ];
}

interface SchemaNode {
  readonly node: Loose;
  readonly at: string;
  readonly depth: number;
}

function listNodes(node: Loose, at = 'inputSchema', depth = 1): SchemaNode[] {
  const children: [string, unknown][] = [
    ...(isObject(node['properties']) ? Object.entries(node['properties']) : []),
    ['[]', node['items']],
    ['*', node['additionalProperties']],
  ];
  return [
    { node, at, depth },
    ...children.flatMap(([name, child]) => (isObject(child) ? listNodes(child, `${at}.${name}`, depth + 1) : [])),
  ];
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
