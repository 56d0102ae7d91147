// The rules of one typed-proxy tool. The first four are the specification's; the others keep tools callable by every
// client and paths harmless.
import { findSchemaFaults } from './check-input-schema.ts';
import { ACCESS, METHODS } from './connector-types.ts';
import {
  findHttpsFault,
  findKeyFaults,
  isFilledText,
  isListOfText,
  isObject,
  type Loose,
  type Rule,
} from './loose-json.ts';

export interface ToolSubject {
  readonly connector: string;
  readonly tool: Loose;
}

/** Tool names reach clients as `<provider>__<tool>`, which most limit to 64 characters. */
const MAX_ADVERTISED_NAME = 64;

export const TOOL_RULES = {
  'closed-schema': {
    says: 'additionalProperties is false on every tool schema',
    find: ({ tool: { inputSchema } }) =>
      isObject(inputSchema) && inputSchema['additionalProperties'] === false ? [] : ['inputSchema is not closed'],
  },
  'get-is-read': {
    says: 'GET endpoints are classed read',
    find: ({ tool }) =>
      tool['method'] === 'GET' && tool['access'] !== 'read' ? [`GET is classed ${JSON.stringify(tool['access'])}`] : [],
  },
  'path-parameters': {
    says: 'path placeholders match the declared path parameters in order, and each is a required string input',
    find: ({ tool }) => findPathParameterFaults(tool),
  },
  'base-url': {
    says: 'a base-URL override is an HTTPS origin with no path, query or fragment',
    find: ({ tool: { baseUrl } }) => {
      if (baseUrl === undefined) return [];
      const fault = findHttpsFault(baseUrl);
      if (fault !== undefined) return [fault];
      return new URL(String(baseUrl)).origin === baseUrl ? [] : [`${JSON.stringify(baseUrl)} is more than an origin`];
    },
  },
  'tool-keys': {
    says: 'a tool has its required fields and only documented ones',
    find: ({ tool }) =>
      findKeyFaults(tool, {
        required: ['name', 'description', 'access', 'method', 'path', 'pathParameters', 'inputSchema'],
        optional: ['baseUrl'],
      }),
  },
  'tool-name': {
    says: `a tool name is lower-case words joined by hyphens, and <provider>__<tool> at most ${MAX_ADVERTISED_NAME} characters`,
    find: ({ connector, tool: { name } }) => {
      if (typeof name !== 'string' || !/^[a-z][a-z0-9-]*$/.test(name)) return [`name is ${JSON.stringify(name)}`];
      const advertised = `${connector}__${name}`;
      return advertised.length <= MAX_ADVERTISED_NAME ? [] : [`${advertised} has ${advertised.length} characters`];
    },
  },
  'tool-description': {
    says: 'a description is 20 to 400 characters',
    find: ({ tool: { description } }) =>
      isFilledText(description, 400) && description.length >= 20
        ? []
        : ['description is missing, too short or too long'],
  },
  access: {
    says: 'access is read or write',
    find: ({ tool: { access } }) =>
      ACCESS.some((known) => known === access) ? [] : [`access is ${JSON.stringify(access)}`],
  },
  method: {
    says: `a method is one of ${METHODS.join(', ')}`,
    find: ({ tool: { method } }) =>
      METHODS.some((known) => known === method) ? [] : [`method is ${JSON.stringify(method)}`],
  },
  path: {
    // The integration provider expands ${…} with the connection's credentials and treats || as an alternative.
    says: 'a path begins with one slash and has no query, fragment, backslash, space, dot segment, "${" or "||"',
    find: ({ tool: { path } }) => {
      const sound =
        typeof path === 'string' && /^\/([^/]|$)/.test(path) && !/[\s?#\\]|\$\{|\|\||\/\.{1,2}(\/|$)|\/\/|%/.test(path);
      return sound ? [] : [`path is ${JSON.stringify(path)}`];
    },
  },
  'input-schema': {
    says: 'an input schema is typed, described and bounded throughout, in the keywords that every client knows',
    find: ({ tool: { inputSchema } }) => findSchemaFaults(inputSchema),
  },
} as const satisfies Record<string, Rule<ToolSubject>>;

function findPathParameterFaults({ path, pathParameters, inputSchema }: Loose): string[] {
  if (typeof path !== 'string' || !isListOfText(pathParameters))
    return ['path is not text or pathParameters is not a list of names'];
  const placeholders = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  const schema = isObject(inputSchema) ? inputSchema : {};
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = isListOfText(schema['required']) ? schema['required'] : [];
  const rest = path.replaceAll(/\{[A-Za-z_][A-Za-z0-9_]*\}/g, '');
  return [
    ...(/[{}]/.test(rest) ? [`${JSON.stringify(path)} has a malformed placeholder`] : []),
    ...(new Set(placeholders).size < placeholders.length ? ['a placeholder appears twice'] : []),
    ...(placeholders.join() === pathParameters.join()
      ? []
      : [`the path has [${placeholders.join(', ')}], pathParameters has [${pathParameters.join(', ')}]`]),
    ...[...new Set([...placeholders, ...pathParameters])].flatMap((name) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isObject(property) || property['type'] !== 'string')
        return [`${JSON.stringify(name)} is not a string input`];
      if (!required.includes(name)) return [`${JSON.stringify(name)} is not required`];
      // An empty value would turn one resource into the collection above it.
      return Number(property['minLength'] ?? 0) >= 1 || property['enum'] !== undefined
        ? []
        : [`${JSON.stringify(name)} may be empty`];
    }),
  ];
}
