// The demo apps' own MCP servers: stateless, one JSON answer per request, protected by a token of the demo authorization
// server.
import type { LocalDeps } from '../local-settings.ts';
import { isLiveToken } from './authorization-server.ts';
import { type DemoItems, openDemoItems } from './demo-items.ts';

interface DemoTool {
  readonly description: string;
  readonly readOnly: boolean;
  /** Its arguments, all of them text, and whether each is required. */
  readonly takes: Readonly<Record<string, boolean>>;
  readonly run: (items: DemoItems, given: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A tool that lists items and one that adds to them. */
function collection(
  kind: string,
  names: { readonly list: string; readonly create: string },
  what: string,
): Record<string, DemoTool> {
  return {
    [names.list]: {
      description: `Lists ${what} of the demo workspace.`,
      readOnly: true,
      takes: { query: false },
      run: async (items, { query }) => {
        const all = [
          { id: `${kind}-1`, title: `A first ${kind} of the demo`, demo: true },
          ...(await items.list(kind, 'demo')),
        ];
        return all.filter((item) =>
          text((item as { title?: unknown }).title)
            .toLowerCase()
            .includes(text(query).toLowerCase()),
        );
      },
    },
    [names.create]: {
      description: `Adds to ${what} of the demo workspace.`,
      readOnly: false,
      takes: { title: true },
      run: (items, { title }) =>
        items.add(kind, 'demo', (id) => ({ id: `${kind}-${id + 1}`, title: text(title), demo: true })),
    },
  };
}

const SERVERS: Readonly<Record<string, Readonly<Record<string, DemoTool>>>> = {
  'linear-mcp': collection('ticket', { list: 'list_issues', create: 'create_issue' }, 'the issues'),
  'notion-mcp': collection('page', { list: 'search', create: 'create-page' }, 'the pages'),
};

export async function answerDemoMcp(deps: LocalDeps, connector: string, request: Request): Promise<Response> {
  const tools = Object.hasOwn(SERVERS, connector) ? SERVERS[connector] : undefined;
  if (!tools) return new Response('Not found', { status: 404 });
  const [, token = ''] = /^bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (!(await isLiveToken(deps, token))) return new Response('Unauthorized', { status: 401 });
  const message = (await request.json().catch(() => undefined)) as
    | { id?: unknown; method?: unknown; params?: Record<string, unknown> }
    | undefined;
  if (message?.id === undefined) return new Response(null, { status: 202 });
  const reply = (answer: object): Response => Response.json({ jsonrpc: '2.0', id: message.id, ...answer });
  switch (message.method) {
    case 'initialize':
      return reply({
        result: {
          protocolVersion: text(message.params?.['protocolVersion']) || '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: `demo of ${connector}`, version: '1' },
        },
      });
    case 'tools/list':
      return reply({
        result: {
          tools: Object.entries(tools).map(([name, tool]) => ({
            name,
            description: tool.description,
            inputSchema: schemaOf(tool),
            annotations: { readOnlyHint: tool.readOnly },
          })),
        },
      });
    case 'tools/call':
      return reply(await call(deps, tools, message.params ?? {}));
    default:
      return reply({ error: { code: -32601, message: 'Method not found' } });
  }
}

async function call(
  deps: LocalDeps,
  tools: Readonly<Record<string, DemoTool>>,
  params: Readonly<Record<string, unknown>>,
): Promise<object> {
  const name = text(params['name']);
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (!tool) return { error: { code: -32602, message: `Unknown tool: ${name}` } };
  const given = (params['arguments'] ?? {}) as Readonly<Record<string, unknown>>;
  const missing = Object.entries(tool.takes).find(([argument, needed]) => needed && text(given[argument]) === '');
  if (missing) return { result: { isError: true, content: [{ type: 'text', text: `${missing[0]} is required` }] } };
  return {
    result: { content: [{ type: 'text', text: JSON.stringify(await tool.run(openDemoItems(deps.db), given)) }] },
  };
}

function schemaOf({ takes }: DemoTool): object {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.keys(takes).map((name) => [name, { type: 'string' }])),
    required: Object.keys(takes).filter((name) => takes[name]),
    additionalProperties: false,
  };
}
