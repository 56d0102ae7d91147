// The configuration of common MCP clients, generated from the real address. Pure.
import type { Scope } from '../../../../src/contract/tokens.ts';
import { clientStrings as strings } from './client-strings.ts';

export interface ClientOptions {
  /** The public origin. */
  readonly origin: string;
  /** Undefined for Default, which needs no name. */
  readonly workspace: string | undefined;
  /** Three search tools instead of all tools. */
  readonly search: boolean;
  readonly sign: 'oauth' | 'token';
}

export interface Snippet {
  readonly title: string;
  readonly text: string;
}

interface Client {
  readonly name: string;
  /** Whether it can sign in through the browser. */
  readonly oauth: boolean;
  /** It prompts for the token. */
  readonly asks?: true;
  readonly snippets: (options: ClientOptions, url: string) => readonly Snippet[];
}

export const TOKEN = 'YOUR_TOKEN';
/** One token for the models and the apps of a client. */
export const CLIENT_SCOPES = ['chat', 'connect:read', 'connect:write'] as const satisfies readonly Scope[];
const NAME = 'apps';
const HEADERS = { Authorization: `Bearer ${TOKEN}` };

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const withToken = ({ sign }: ClientOptions): boolean => sign === 'token';
const ofServers = (server: unknown): string => json({ mcpServers: { [NAME]: server } });

export const CLIENTS = {
  'claude-code': {
    name: 'Claude Code',
    oauth: true,
    snippets: (options, url) => [
      {
        title: strings.terminal,
        text: `claude mcp add --transport http ${NAME} "${url}"${withToken(options) ? ` --header "Authorization: Bearer ${TOKEN}"` : ''}`,
      },
    ],
  },
  'claude-desktop': {
    name: 'Claude Desktop',
    oauth: true,
    // The header is in a variable, because some systems drop a space in an argument.
    snippets: (options, url) => [
      {
        title: 'claude_desktop_config.json',
        text: ofServers(
          withToken(options)
            ? {
                command: 'npx',
                args: ['-y', 'mcp-remote', url, '--header', 'Authorization:${AUTHORIZATION}'],
                env: { AUTHORIZATION: `Bearer ${TOKEN}` },
              }
            : { command: 'npx', args: ['-y', 'mcp-remote', url] },
        ),
      },
    ],
  },
  servicectl: {
    name: 'Any client, through servicectl',
    oauth: false,
    snippets: ({ origin, workspace, search }) => [
      {
        title: strings.body,
        text: ofServers({
          command: 'servicectl',
          args: [
            'mcp',
            ...(workspace === undefined ? [] : ['--workspace', workspace]),
            ...(search ? ['--search'] : []),
          ],
          env: { SERVICE_URL: origin, SERVICE_TOKEN: TOKEN },
        }),
      },
    ],
  },
  cursor: {
    name: 'Cursor',
    oauth: true,
    snippets: (options, url) => [
      { title: '~/.cursor/mcp.json', text: ofServers({ url, ...(withToken(options) ? { headers: HEADERS } : {}) }) },
    ],
  },
  'vs-code': {
    name: 'VS Code',
    oauth: true,
    asks: true,
    snippets: (options, url) => [
      {
        title: '.vscode/mcp.json',
        text: json(
          withToken(options)
            ? {
                inputs: [{ type: 'promptString', id: 'service-token', description: 'Connect token', password: true }],
                servers: { [NAME]: { type: 'http', url, headers: { Authorization: 'Bearer ${input:service-token}' } } },
              }
            : { servers: { [NAME]: { type: 'http', url } } },
        ),
      },
    ],
  },
  codex: {
    name: 'Codex CLI',
    oauth: true,
    snippets: (options, url) =>
      withToken(options)
        ? [
            {
              title: '~/.codex/config.toml',
              text: `[mcp_servers.${NAME}]\nurl = ${JSON.stringify(url)}\nbearer_token_env_var = "SERVICE_TOKEN"`,
            },
            { title: strings.variable, text: `export SERVICE_TOKEN=${TOKEN}` },
          ]
        : [
            { title: '~/.codex/config.toml', text: `[mcp_servers.${NAME}]\nurl = ${JSON.stringify(url)}` },
            { title: strings.afterwards, text: `codex mcp login ${NAME}` },
          ],
  },
  inspector: {
    name: 'MCP Inspector',
    oauth: true,
    snippets: (options, url) => [
      withToken(options)
        ? {
            title: strings.terminal,
            text: `npx @modelcontextprotocol/inspector --cli "${url}" --transport http --header "Authorization: Bearer ${TOKEN}" --method tools/list`,
          }
        : {
            title: strings.terminal,
            text: `npx @modelcontextprotocol/inspector --transport http --server-url "${url}"`,
          },
    ],
  },
  generic: {
    name: 'Another client (JSON)',
    oauth: true,
    snippets: (options, url) => [
      {
        title: strings.body,
        text: ofServers({ type: 'http', url, ...(withToken(options) ? { headers: HEADERS } : {}) }),
      },
    ],
  },
} as const satisfies Record<keyof typeof strings.notes, Client>;

export type ClientId = keyof typeof CLIENTS;
export const CLIENT_IDS = Object.keys(CLIENTS) as ClientId[];

export function mcpAddress({
  origin,
  workspace,
  search,
}: Pick<ClientOptions, 'origin' | 'workspace' | 'search'>): string {
  const query = new URLSearchParams({
    ...(workspace === undefined ? {} : { workspace }),
    ...(search ? { tools: 'search' } : {}),
  }).toString();
  return `${origin}/connect/mcp${query === '' ? '' : `?${query}`}`;
}

/** How a client uses the token. */
export function signText(client: ClientId, sign: ClientOptions['sign']): string {
  const { asks }: Client = CLIENTS[client];
  return strings.signTexts[sign === 'token' && asks ? 'asked' : sign];
}

/** What to know after setting it up, which for some depends on how they sign in. */
export function noteFor(client: ClientId, sign: ClientOptions['sign']): string {
  const note: string | Readonly<Record<ClientOptions['sign'], string>> = strings.notes[client];
  return typeof note === 'string' ? note : note[sign];
}

/** A client that cannot sign in through the browser gets its token configuration. */
export function snippetsFor(client: ClientId, options: ClientOptions): readonly Snippet[] {
  const { oauth, snippets }: Client = CLIENTS[client];
  return snippets(oauth ? options : { ...options, sign: 'token' }, mcpAddress(options));
}
