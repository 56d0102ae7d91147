// What a connector is: the manifest as it is checked in, and the connector built from it.
import type { Json } from '../base/canonical-json.ts';
import type { AuthMode } from './auth-modes.ts';

export const CATEGORIES = [
  'code',
  'communication',
  'productivity',
  'documents',
  'crm',
  'support',
  'finance',
  'commerce',
  'marketing',
  'analytics',
  'infrastructure',
  'hr',
  'design',
] as const;
type Category = (typeof CATEGORIES)[number];

export const SURFACES = [
  'typed-proxy',
  'compatibility-read',
  'provider-mcp',
  'resource-aware-get',
  'command-auth',
] as const;
export type ToolSurface = (typeof SURFACES)[number];

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

export const ACCESS = ['read', 'write'] as const;
export type Access = (typeof ACCESS)[number];

export type PropertySchema = { readonly [keyword: string]: Json | undefined };

/** The advertised JSON Schema is the one that is enforced: closed, without coercion and without defaults. */
export type InputSchema = {
  readonly type: 'object';
  readonly properties: { readonly [name: string]: PropertySchema };
  readonly required?: readonly string[];
  readonly additionalProperties: false;
};

export type ProxyTool = {
  readonly name: string;
  /** Written for a model that chooses among tools: what it returns, when to use it, how to page. */
  readonly description: string;
  readonly access: Access;
  readonly method: Method;
  /** Relative to the provider's base at the integration provider, or to `baseUrl`. */
  readonly path: string;
  /** The placeholders of `path`, in order. */
  readonly pathParameters: readonly string[];
  readonly baseUrl?: string;
  readonly inputSchema: InputSchema;
};

/** Hints for a model that reads from a provider without typed tools. */
type ReadHints = {
  /** Documented paths; `{…}` marks what the caller fills in. */
  readonly examples: readonly string[];
  readonly note?: string;
};

/** What the people who connect an app read about it. */
type AppTexts = {
  /** One sentence: what the app is used for. */
  readonly purpose: string;
  /** What can be read through a connection. Completes "Through this connection, people can read …". */
  readonly reads: string;
  /** What people call it or look for, besides its name and purpose: a search for "mail" finds Gmail. */
  readonly words: readonly string[];
};

export type Manifest = AppTexts & {
  readonly id: string;
  readonly name: string;
  readonly category: Category;
  /** Listed first, for people who do not know yet what they look for. */
  readonly popular?: true;
  /** Of the package simple-icons; an app without one has a monogram (`web/app-logos-plugin.ts`). */
  readonly logo?: string;
  /** Usually holds one person's own data, such as a mailbox or a drive. */
  readonly personal?: true;
  /** Only the web app reads it, when it is built (`web/german.ts`). */
  readonly german: AppTexts;
  /** `provider` is the integration provider's id. */
  readonly auth: { readonly mode: AuthMode; readonly provider: string };
  readonly codeHost?: true;
  readonly tools?: readonly ProxyTool[];
  readonly command?: { readonly cli: string };
  readonly mcp?: { readonly url: string };
  readonly resource?: { readonly kind: 'atlassian'; readonly product: 'jira' | 'confluence' };
  readonly read?: ReadHints;
};

export const READ_TOOL_NAME = 'read-provider-resource';

/** Reads one provider-relative resource with GET; the caller names the path. */
export type ReadTool = {
  readonly name: typeof READ_TOOL_NAME;
  readonly description: string;
  readonly access: 'read';
  readonly inputSchema: InputSchema;
};

type ConnectorOf<S extends ToolSurface, T> = Omit<Manifest, 'tools' | 'read' | 'german'> & {
  readonly surface: S;
  readonly tools: readonly T[];
};

export type Connector =
  | ConnectorOf<'typed-proxy', ProxyTool>
  | ConnectorOf<'compatibility-read', ReadTool>
  | (ConnectorOf<'resource-aware-get', ReadTool> & Required<Pick<Manifest, 'resource'>>)
  | (ConnectorOf<'provider-mcp', never> & Required<Pick<Manifest, 'mcp'>>)
  | (ConnectorOf<'command-auth', never> & Required<Pick<Manifest, 'command'>>);

export type Tool = ProxyTool | ReadTool;

export type CatalogCounts = {
  readonly connectors: number;
  /** Static tools only; tools of a provider's MCP server are discovered and not counted. */
  readonly tools: number;
  readonly writes: number;
  readonly surfaces: Readonly<Record<ToolSurface, number>>;
};

export type Catalog = {
  /** Changes whenever anything visible to callers changes, so it can be used as a cache key. */
  readonly version: string;
  /** In order of id. */
  readonly connectors: readonly Connector[];
  /** Without a prototype, so that a caller's name can only find a connector. */
  readonly byId: { readonly [id: string]: Connector | undefined };
  readonly counts: CatalogCounts;
};
