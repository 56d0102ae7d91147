import { describe, expect, it } from 'vitest';
import { AppError } from '../../base/errors.ts';
import type { Protocol } from './neutral.ts';
import { refuseUnbounded, UNBOUNDED_FIELDS } from './unbounded-fields.ts';

function refusedFields(protocol: Protocol, body: Record<string, unknown>): string[] {
  try {
    refuseUnbounded(protocol, body);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error;
    return Object.keys(error.details);
  }
}

const tools = (...types: string[]): { tools: { type: string }[] } => ({ tools: types.map((type) => ({ type })) });

const REFUSED: readonly (readonly [Protocol, Record<string, unknown>, readonly string[]])[] = [
  ['chat', { web_search_options: {} }, ['web_search_options']],
  ['chat', { service_tier: 'priority' }, ['service_tier']],
  ['chat', { service_tier: 'flex' }, ['service_tier']],
  ['chat', { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'mp3' } }, ['modalities', 'audio']],
  ['chat', { prediction: { type: 'content', content: 'x' } }, ['prediction']],
  ['chat', tools('function', 'web_search'), ['tools.1.type']],
  ['responses', { background: true }, ['background']],
  ['responses', { previous_response_id: 'resp_1' }, ['previous_response_id']],
  ['responses', { conversation: 'conv_1' }, ['conversation']],
  ['responses', { conversation: { id: 'conv_1' } }, ['conversation']],
  ['responses', { prompt: { id: 'pmpt_1' } }, ['prompt']],
  ['responses', { service_tier: 'priority' }, ['service_tier']],
  ...['web_search', 'web_search_2025_08_26', 'web_search_preview', 'file_search', 'code_interpreter', 'computer', 'computer_use_preview', 'image_generation', 'mcp', 'local_shell', 'shell'].map(
    (type) => ['responses', tools('function', type, 'custom'), ['tools.1.type']] as const,
  ),
  ['responses', { background: true, previous_response_id: 'resp_1', ...tools('mcp', 'file_search') }, ['background', 'previous_response_id', 'tools.0.type', 'tools.1.type']],
  ...['web_search_20250305', 'web_fetch_20250910', 'code_execution_20250825', 'mcp_toolset'].map((type) => ['messages', tools('custom', type), ['tools.1.type']] as const),
  ['messages', { mcp_servers: [{ type: 'url', url: 'https://mcp.example' }] }, ['mcp_servers']],
  ['messages', { container: 'container_1' }, ['container']],
  ['messages', { service_tier: 'priority' }, ['service_tier']],
  ['messages', { inference_geo: 'us' }, ['inference_geo']],
  ['messages', { speed: 'fast' }, ['speed']],
];

const TAKEN: readonly (readonly [Protocol, Record<string, unknown>])[] = [
  ['chat', { service_tier: 'auto', modalities: ['text'], audio: null, prediction: null, n: 2, store: true, ...tools('function', 'custom') }],
  ['chat', { service_tier: 'default' }],
  ['responses', { background: false, previous_response_id: null, conversation: null, prompt: null, service_tier: 'default', store: true, ...tools('function', 'custom') }],
  ['messages', { service_tier: 'standard_only', mcp_servers: [], speed: 'standard', inference_geo: 'global', container: null, ...tools('custom', 'bash_20250124', 'text_editor_20250728', 'computer_20250124', 'memory_20250818') }],
  ['messages', { service_tier: 'auto', tools: [{ name: 'look', input_schema: { type: 'object' } }] }],
];

describe('on platform credit', () => {
  it.each(REFUSED)('%s refuses %j', (protocol, body, fields) => {
    expect(refusedFields(protocol, body)).toEqual(fields);
  });

  it.each(TAKEN)('%s takes %j', (protocol, body) => {
    expect(refusedFields(protocol, body)).toEqual([]);
  });

  it('has a case here for every field of the table', () => {
    for (const [protocol, rows] of Object.entries(UNBOUNDED_FIELDS))
      for (const { field } of rows) expect(REFUSED.some(([where, , fields]) => where === protocol && fields.includes(field)), `${protocol} ${field}`).toBe(true);
  });
});
