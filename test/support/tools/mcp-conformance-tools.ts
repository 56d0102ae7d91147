// The tools that the conformance suite calls, mounted on the real dispatcher beside the workspace's own. Tests only.
import { setTimeout as sleep } from 'node:timers/promises';
import { MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server';
import type { CallContext, McpTools, ToolResult } from '../../../src/http/mcp/mcp-tools.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, text: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text },
});

const FIXTURES: Readonly<Record<string, (context: CallContext) => ToolResult | Promise<ToolResult>>> = {
  test_simple_text: () => ({ content: [{ type: 'text', text: 'This is a simple text response for testing.' }] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }],
    isError: true,
  }),
  test_missing_capability: () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
  test_tool_with_progress: async ({ progress }) => {
    for (const now of [0, 50, 100]) {
      await progress?.(now, 100);
      // The suite's own server pauses between its notifications; without a pause they arrive as one.
      await sleep(20);
    }
    return { content: [{ type: 'text', text: 'done' }] };
  },
};

const ADVERTISED = Object.keys(FIXTURES).map((name) => ({
  name,
  description: `A fixture: ${name}.`,
  inputSchema: { type: 'object', properties: {} },
}));

export function withConformanceTools(tools: McpTools): McpTools {
  return {
    async list(caller, cursor) {
      const page = await tools.list(caller, cursor);
      return {
        ...page,
        tools: Buffer.from(JSON.stringify([...(JSON.parse(page.tools.toString('utf8')) as unknown[]), ...ADVERTISED])),
      };
    },
    call: async (caller, name, given, context) =>
      Object.hasOwn(FIXTURES, name)
        ? ((await FIXTURES[name]?.(context)) ?? { content: [] })
        : tools.call(caller, name, given, context),
    streams: (name) => name === 'test_tool_with_progress' || name === 'test_missing_capability',
  };
}
