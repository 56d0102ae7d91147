// The rules of a manifest as a whole; the rules of its tools are in tool-rules.ts.
import { AUTH_MODES } from './auth-modes.ts';
import { CATEGORIES } from './connector-types.ts';
import {
  findHttpsFault,
  findKeyFaults,
  isFilledText,
  isListOfText,
  isObject,
  type Loose,
  type Rule,
} from './loose-json.ts';

export interface ManifestSubject {
  /** Name of the file, without its directory. */
  readonly file: string;
  readonly manifest: Loose;
}

const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const PRODUCTS = ['jira', 'confluence'];
const PURPOSE = /^\p{Lu}[^.!?\n]{8,100}\.$/u;
const LOGO = /^[a-z0-9]{1,40}$/;
const READS = /^\p{L}[^.!?\n]{8,160}$/u;

export const MANIFEST_RULES = {
  'manifest-keys': {
    says: 'a manifest has its required fields and only documented ones',
    find: ({ manifest }) =>
      findKeyFaults(manifest, {
        required: ['id', 'name', 'category', 'purpose', 'reads', 'words', 'german', 'auth'],
        optional: ['popular', 'logo', 'personal', 'codeHost', 'tools', 'command', 'mcp', 'resource', 'read'],
      }),
  },
  id: {
    // Tool names are parsed as <provider>--<name>__<tool>, so an id may contain neither separator.
    says: 'an id is lower-case words joined by single hyphens, at most 40 characters',
    find: ({ manifest: { id } }) => (isFilledText(id, 40) && ID.test(id) ? [] : [`id is ${JSON.stringify(id)}`]),
  },
  'file-name': {
    says: 'the file is named after the id',
    find: ({ file, manifest: { id } }) => (file === `${String(id)}.json` ? [] : [`id is ${JSON.stringify(id)}`]),
  },
  name: {
    says: 'a name is 1 to 60 characters without surrounding space',
    find: ({ manifest: { name } }) => (isFilledText(name, 60) ? [] : [`name is ${JSON.stringify(name)}`]),
  },
  category: {
    says: `a category is one of ${CATEGORIES.join(', ')}`,
    find: ({ manifest: { category } }) =>
      CATEGORIES.some((known) => known === category) ? [] : [`category is ${JSON.stringify(category)}`],
  },
  texts: {
    says: 'purpose is one short sentence, reads completes one, words has 1 to 8 terms, and german has the three in German',
    find: ({ manifest }) => [
      ...findTextFaults(manifest, ''),
      ...(isObject(manifest['german'])
        ? [
            ...findKeyFaults(manifest['german'], { required: ['purpose', 'reads', 'words'], optional: [] }),
            ...findTextFaults(manifest['german'], 'german '),
          ]
        : ['german is not an object']),
    ],
  },
  popular: {
    says: 'popular is true or absent',
    find: ({ manifest: { popular } }) => findFlagFaults('popular', popular),
  },
  logo: {
    says: 'logo is the slug of an icon of simple-icons',
    find: ({ manifest: { logo } }) =>
      logo === undefined || (typeof logo === 'string' && LOGO.test(logo)) ? [] : [`logo is ${JSON.stringify(logo)}`],
  },
  personal: {
    says: 'personal is true or absent',
    find: ({ manifest: { personal } }) => findFlagFaults('personal', personal),
  },
  auth: {
    says: `auth has a mode (${Object.keys(AUTH_MODES).join(', ')}) and the integration provider's id`,
    find: ({ manifest: { auth } }) => {
      if (!isObject(auth)) return ['auth is not an object'];
      return [
        ...findKeyFaults(auth, { required: ['mode', 'provider'], optional: [] }),
        ...(typeof auth['mode'] === 'string' && Object.hasOwn(AUTH_MODES, auth['mode'])
          ? []
          : [`mode is ${JSON.stringify(auth['mode'])}`]),
        ...(isFilledText(auth['provider'], 64) && ID.test(auth['provider'])
          ? []
          : [`provider is ${JSON.stringify(auth['provider'])}`]),
      ];
    },
  },
  'code-host': {
    says: 'codeHost is true or absent',
    find: ({ manifest: { codeHost } }) => findFlagFaults('codeHost', codeHost),
  },
  command: {
    says: 'command names one command-line program',
    find: ({ manifest: { command } }) => {
      if (command === undefined) return [];
      if (!isObject(command)) return ['command is not an object'];
      const cli = command['cli'];
      return [
        ...findKeyFaults(command, { required: ['cli'], optional: [] }),
        ...(isFilledText(cli, 32) && ID.test(cli) ? [] : [`cli is ${JSON.stringify(cli)}`]),
      ];
    },
  },
  mcp: {
    says: "mcp has the https address of the provider's MCP server",
    find: ({ manifest: { mcp } }) => {
      if (mcp === undefined) return [];
      if (!isObject(mcp)) return ['mcp is not an object'];
      return [...findKeyFaults(mcp, { required: ['url'], optional: [] }), findHttpsFault(mcp['url']) ?? []].flat();
    },
  },
  resource: {
    says: 'resource is {kind: "atlassian", product: "jira" | "confluence"}',
    find: ({ manifest: { resource } }) => {
      if (resource === undefined) return [];
      if (!isObject(resource)) return ['resource is not an object'];
      return [
        ...findKeyFaults(resource, { required: ['kind', 'product'], optional: [] }),
        ...(resource['kind'] === 'atlassian' ? [] : [`kind is ${JSON.stringify(resource['kind'])}`]),
        ...(PRODUCTS.some((product) => product === resource['product'])
          ? []
          : [`product is ${JSON.stringify(resource['product'])}`]),
      ];
    },
  },
  read: {
    says: 'read has 1 to 4 example paths and perhaps a note of at most 200 characters',
    find: ({ manifest: { read } }) => {
      if (read === undefined) return [];
      if (!isObject(read)) return ['read is not an object'];
      const { examples, note } = read;
      const list = isListOfText(examples) ? examples : [];
      return [
        ...findKeyFaults(read, { required: ['examples'], optional: ['note'] }),
        ...(list.length >= 1 && list.length <= 4 ? [] : ['examples is not a list of 1 to 4 paths']),
        ...list
          .filter((path) => !/^\/[^/\s?#][^\s?#]*$/.test(path))
          .map((path) => `${JSON.stringify(path)} is not a path`),
        ...(note === undefined || isFilledText(note, 200) ? [] : ['note is empty or too long']),
      ];
    },
  },
  'one-surface': {
    says: 'tools, command, mcp and resource exclude one another, save that tools may stand beside a command; read belongs to the connectors that get read-provider-resource',
    find: ({ manifest }) => {
      const has = ['tools', 'command', 'mcp', 'resource'].filter((key) => manifest[key] !== undefined);
      const together = has.join(' and ');
      return [
        ...(has.length < 2 || together === 'tools and command' ? [] : [`${together} are combined`]),
        ...(manifest['read'] !== undefined && has.some((key) => key !== 'resource')
          ? [`read is combined with ${together}`]
          : []),
      ];
    },
  },
  tools: {
    says: 'tools is a list of objects, at least one, each name once',
    find: ({ manifest: { tools } }) => {
      if (tools === undefined) return [];
      if (!Array.isArray(tools) || tools.length === 0) return ['tools is not a non-empty list'];
      const names = tools.map((tool: unknown) => (isObject(tool) ? tool['name'] : undefined));
      return [
        ...tools.flatMap((tool: unknown, at) => (isObject(tool) ? [] : [`tools[${at}] is not an object`])),
        ...names
          .filter((name, at) => name !== undefined && names.indexOf(name) !== at)
          .map((name) => `${JSON.stringify(name)} appears twice`),
      ];
    },
  },
} as const satisfies Record<string, Rule<ManifestSubject>>;

function findTextFaults({ purpose, reads, words }: Loose, where: string): string[] {
  return [
    ...(typeof purpose === 'string' && PURPOSE.test(purpose) ? [] : [`${where}purpose is ${JSON.stringify(purpose)}`]),
    ...(typeof reads === 'string' && READS.test(reads) ? [] : [`${where}reads is ${JSON.stringify(reads)}`]),
    ...(isListOfText(words) && words.length >= 1 && words.length <= 8 && words.every((word) => isFilledText(word, 40))
      ? []
      : [`${where}words is ${JSON.stringify(words)}`]),
  ];
}

function findFlagFaults(name: string, value: unknown): string[] {
  return value === undefined || value === true ? [] : [`${name} is ${JSON.stringify(value)}`];
}
