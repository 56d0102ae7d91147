import { describe, expect, test } from 'vitest';
import { AppError } from '../../../base/errors.ts';
import { decodeResponsesRequest } from './decode-request.ts';

function faultsOf(more: object): string[] {
  try {
    decodeResponsesRequest({ model: 'm', input: 'hi', ...more });
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return Object.keys(error.details);
    throw error;
  }
  return [];
}

describe('decoding a Responses request', () => {
  test('reads items, calls, results and reasoning that is Anthropic’s own', () => {
    const request = decodeResponsesRequest({
      model: 'm',
      instructions: 'be kind',
      input: [
        { role: 'developer', content: 'two' },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'look' },
            { type: 'input_image', image_url: 'https://x.test/a.png', detail: 'auto' },
            { type: 'input_file', file_url: 'https://x.test/a.pdf' },
          ],
        },
        {
          type: 'reasoning',
          id: 'rs',
          summary: [{ type: 'summary_text', text: 'hm' }],
          encrypted_content: 'anthropic-signature:sig',
        },
        { type: 'reasoning', id: 'rs2', summary: [], encrypted_content: 'gAAAA-openai' },
        {
          type: 'message',
          id: 'm1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'ok', annotations: [] }],
        },
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
        { type: 'function_call', call_id: 'c2', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'r1' },
        { type: 'function_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'r2' }] },
      ],
      tools: [{ type: 'function', name: 'f', parameters: null, strict: true }],
      tool_choice: 'auto',
      text: { format: { type: 'json_object' } },
      reasoning: { effort: 'low', summary: 'auto' },
      max_output_tokens: 50,
      store: false,
      include: ['reasoning.encrypted_content'],
    });
    expect(request).toMatchObject({
      system: ['be kind', 'two'],
      messages: [
        {
          role: 'user',
          parts: [{ type: 'text', text: 'look' }, { type: 'image' }, { type: 'document', source: { kind: 'url' } }],
        },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'hm', signature: 'sig' },
            { type: 'text', text: 'ok' },
            { type: 'tool-call', id: 'c1' },
            { type: 'tool-call', id: 'c2' },
          ],
        },
        { role: 'tool', results: [{ id: 'c1' }, { id: 'c2', parts: [{ type: 'text', text: 'r2' }] }] },
      ],
      tools: [{ name: 'f', schema: { type: 'object', properties: {} }, strict: true }],
      format: { type: 'json' },
      reasoning: { effort: 'low', summary: true },
      maxOutputTokens: 50,
    });
  });

  test.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: 'conv_1' }],
    ['background', { background: true }],
    ['prompt', { prompt: { id: 'p' } }],
    ['include', { include: ['message.output_text.logprobs'] }],
    ['tools.0.type', { tools: [{ type: 'web_search' }] }],
    ['tool_choice', { tool_choice: { type: 'web_search' } }],
    ['input.0.type', { input: [{ type: 'item_reference', id: 'x' }] }],
    ['input.0.encrypted_content', { input: [{ type: 'compaction', encrypted_content: 'x' }] }],
    ['input.0', { input: [{ type: 'compaction_trigger' }, { role: 'user', content: 'x' }] }],
    ['input', { input: undefined }],
    ['input.0.content.0.file_id', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] }],
  ])('refuses %s', (field, more) => {
    expect(faultsOf(more)).toEqual([field]);
  });
});
