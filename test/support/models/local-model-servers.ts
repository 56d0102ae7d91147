// Ollama and vLLM on real sockets, as far as their OpenAI-compatible paths differ from OpenAI's own.
//
// https://docs.ollama.com/api/openai-compatibility
// https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
// https://docs.vllm.ai/en/latest/features/tool_calling/
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface LocalServer {
  readonly url: string;
  stop(): void;
}

interface Asked {
  readonly model: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly messages: readonly { readonly content: unknown }[];
}

const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const answer = (response: ServerResponse, status: number, body: unknown): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

async function serve(
  take: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void,
): Promise<LocalServer> {
  const server = createServer((request, response) => {
    void (async () => take(request, response))().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function sendStream(
  response: ServerResponse,
  asked: Asked,
  more: object,
  deltas: readonly object[],
  finish: string,
): void {
  const chunk = (choices: readonly object[], usage: object = {}): string =>
    `data: ${JSON.stringify({ ...more, object: 'chat.completion.chunk', created: 1, model: asked.model, choices, ...usage })}\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const delta of deltas) response.write(chunk([{ index: 0, delta, finish_reason: null }]));
  response.write(chunk([{ index: 0, delta: { content: '' }, finish_reason: finish }]));
  if (asked.stream_options?.include_usage) response.write(chunk([], { usage: USAGE }));
  response.end('data: [DONE]\n\n');
}

/** Takes any key or none. Every chunk names the role, and a call of a tool comes whole, in one of them. */
export function startOllama(models: readonly string[]): Promise<LocalServer> {
  return serve(async (request, response) => {
    if (request.url === '/v1/models')
      return answer(response, 200, {
        object: 'list',
        data: models.map((id) => ({ id, object: 'model', created: 1, owned_by: 'library' })),
      });
    const asked = (await json(request)) as Asked;
    if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end('404 page not found');
    if (!models.includes(asked.model) && !models.includes(`${asked.model}:latest`))
      return answer(response, 404, {
        error: { message: `model '${asked.model}' not found`, type: 'not_found_error', param: null, code: null },
      });
    const [tool] = asked.tools ?? [];
    const calls = tool && [
      { id: 'call_a1b2', index: 0, type: 'function', function: { name: tool.function.name, arguments: '{}' } },
    ];
    const more = { id: 'chatcmpl-123', system_fingerprint: 'fp_ollama' };
    const role = 'assistant';
    const said = calls
      ? [{ role, content: '', tool_calls: calls }]
      : ['Hello ', 'there.'].map((content) => ({ role, content }));
    const finish = calls ? 'tool_calls' : 'stop';
    if (asked.stream)
      return sendStream(response, asked, more, [{ role, content: '', reasoning: 'Hm.' }, ...said], finish);
    const message = calls ? said[0] : { role, content: 'Hello there.', reasoning: 'Hm.' };
    answer(response, 200, {
      ...more,
      object: 'chat.completion',
      created: 1,
      model: asked.model,
      choices: [{ index: 0, message, finish_reason: finish }],
      usage: USAGE,
    });
  });
}

/** Holds requests to its key; errors have a number for a code; tools only where a parser was chosen. */
export function startVllm(model: string, apiKey: string): Promise<LocalServer> {
  return serve(async (request, response) => {
    if (request.headers.authorization !== `Bearer ${apiKey}`) return answer(response, 401, { error: 'Unauthorized' });
    const refuse = (code: number, type: string, message: string, param: string | null = null): void =>
      answer(response, code, { error: { message, type, param, code } });
    if (request.url === '/v1/models')
      return answer(response, 200, {
        object: 'list',
        data: [
          {
            id: model,
            object: 'model',
            created: 1,
            owned_by: 'vllm',
            root: '/models/m',
            parent: null,
            max_model_len: 4096,
            permission: [],
          },
        ],
      });
    const asked = (await json(request)) as Asked;
    if (asked.model !== model)
      return refuse(404, 'NotFoundError', `The model \`${asked.model}\` does not exist.`, 'model');
    if (asked.tools)
      return refuse(
        400,
        'BadRequestError',
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      );
    if (JSON.stringify(asked.messages).length > 20_000)
      return refuse(
        400,
        'BadRequestError',
        "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens in the messages. Please reduce the length of the messages.",
      );
    const more = { id: 'chatcmpl-7f1e' };
    if (asked.stream)
      return sendStream(
        response,
        asked,
        more,
        [{ role: 'assistant', content: '' }, { content: 'Hello ' }, { content: 'there.' }],
        'stop',
      );
    answer(response, 200, {
      ...more,
      object: 'chat.completion',
      created: 1,
      model,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello there.', reasoning_content: null, tool_calls: [] },
          logprobs: null,
          finish_reason: 'stop',
          stop_reason: null,
        },
      ],
      usage: { ...USAGE, prompt_tokens_details: null },
      prompt_logprobs: null,
    });
  });
}
