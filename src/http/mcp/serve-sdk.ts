// Everything that is not a plain list or call: handshakes, discovery, pings, notifications, streams, and malformed
// requests. Each request gets a server of its own, over the same tools as the fast path.
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import type { Log } from '../../telemetry/log.ts';
import type { ToolCaller } from '../../tools/call-tool.ts';
import { MAX_STREAMS } from '../shell/streams/stream-kinds.ts';
import type { McpTools } from './mcp-tools.ts';

export interface ServerIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

interface RequestContext {
  readonly caller: ToolCaller;
  readonly tools: McpTools;
}

const INSTRUCTIONS =
  'Tools of the apps connected to one workspace. Names are <app>__<tool>, or <app>--<account>__<tool> where an app is connected more than once.';

export interface SdkServing {
  handle(request: Request, parsedBody: unknown, context: RequestContext): Promise<Response>;
  close(): Promise<void>;
}

export function serveSdk(identity: ServerIdentity, log: Log): SdkServing {
  const { fetch: answer, close } = createMcpHandler(
    ({ authInfo }) => {
      if (!authInfo?.extra) throw new TypeError('MCP request has no caller');
      const { caller, tools } = authInfo.extra as unknown as RequestContext;
      const server = new Server({ ...identity }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
      server.setRequestHandler('tools/list', async ({ params }) => {
        const { tools: listed, nextCursor } = await tools.list(caller, params?.cursor);
        return { tools: JSON.parse(listed.toString('utf8')), ...(nextCursor === undefined ? {} : { nextCursor }) };
      });
      server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
        const progressToken = params._meta?.progressToken;
        const progress = (now: number, total: number) =>
          mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken: progressToken ?? 0, progress: now, total },
          });
        const result = await tools.call(caller, params.name, params.arguments ?? {}, {
          signal: mcpReq.signal,
          ...(progressToken === undefined ? {} : { progress }),
        });
        return { ...result, content: [...result.content] } as never;
      });
      return server;
    },
    { maxSubscriptions: MAX_STREAMS, onerror: (error) => log.debug({ err: error }, 'MCP request refused') },
  );
  return {
    handle: (request, parsedBody, context) =>
      answer(request, {
        parsedBody,
        authInfo: {
          token: '',
          clientId: context.caller.userId,
          scopes: [...context.caller.scopes],
          extra: { ...context },
        },
      }),
    close,
  };
}
