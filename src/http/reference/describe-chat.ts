// Chat: the provider-compatible surfaces, and the web app's own conversations.
import { z } from 'zod';
import { chatRequest } from '../../contract/threads.ts';
import { SURFACES } from '../v1/surfaces.ts';
import { type Answer, type DescribedRoute, json } from './described-route.ts';

const PAID = {
  'x-service-credential': 'What paid: models-account, own-key or platform.',
  'x-service-provider': 'The provider that answered.',
  'x-service-left-out': 'On platform credit: tools that the provider runs and charges for, which were not sent.',
};
const WORKSPACE = { 'x-service-workspace': "The workspace whose keys may pay, by id or short name. Without it the token's, else Default." };
const V1 = 'Chat (/v1)';

const turn = { model: z.string(), stream: z.boolean().optional() };
const V1_BODIES: Readonly<Record<string, { summary: string; protocol: string; body: z.ZodType }>> = {
  '/v1/chat/completions': { summary: 'Chat completion', protocol: "OpenAI's Chat Completions", body: z.looseObject({ ...turn, messages: z.array(z.looseObject({ role: z.string() })) }) },
  '/v1/responses': { summary: 'Response', protocol: "OpenAI's Responses", body: z.looseObject({ ...turn, input: z.unknown() }) },
  '/v1/messages': { summary: 'Message', protocol: "Anthropic's Messages", body: z.looseObject({ ...turn, max_tokens: z.number().int(), messages: z.array(z.looseObject({ role: z.string() })) }) },
  '/v1/messages/count_tokens': { summary: "How many input tokens a message has: Anthropic's count on an own key, else an estimate", protocol: "Anthropic's Messages", body: z.looseObject({ model: z.string(), messages: z.array(z.looseObject({ role: z.string() })) }) },
  '/v1/embeddings': { summary: 'Embeddings', protocol: "OpenAI's Embeddings", body: z.looseObject({ model: z.string(), input: z.unknown() }) },
};

const model = z.object({ id: z.string(), object: z.literal('model'), type: z.literal('model'), display_name: z.string(), created: z.number(), created_at: z.string(), owned_by: z.string() });

const storedResponse = z.looseObject({ id: z.string(), object: z.literal('response'), status: z.enum(['completed', 'incomplete', 'failed']), model: z.string(), output: z.array(z.looseObject({ type: z.string() })), previous_response_id: z.string().nullable() });

const STREAM: Answer = {
  text: "The AI SDK's UI message stream: server-sent events that end with [DONE]",
  content: [{ type: 'text/event-stream' }],
  headers: { 'x-service-thread': 'The thread.', 'x-vercel-ai-ui-message-stream': 'v1' },
};
const attachment = z.object({ id: z.string(), name: z.string(), size: z.number().int(), type: z.string() });

export const CHAT_ROUTES: readonly DescribedRoute[] = [
  ...Object.entries(SURFACES).map(([path, { method, modality, protocol, counts }]): DescribedRoute => {
    const { summary, protocol: named, body } = V1_BODIES[path] ?? { summary: path, protocol: 'its', body: z.looseObject({ model: z.string() }) };
    const streams = modality === 'chat' && !counts;
    return {
      method, path, tag: V1, caller: 'connectToken', headers: WORKSPACE,
      summary: `${summary}, in ${named} protocol`,
      description: `Serves every model of the catalogue. The token needs the scope chat${protocol === 'messages' ? ', and may come as x-api-key' : ''}. Fields that are not named here are read as the protocol has them.`,
      body: { type: 'application/json', schema: body },
      answers: { 200: counts ? json('The count', z.object({ input_tokens: z.number().int() })) : { text: streams ? 'The answer, streamed when `stream` is true' : 'The vectors', content: [{ type: 'application/json' }, ...(streams ? [{ type: 'text/event-stream' as const }] : [])], headers: PAID } },
      failure: protocol === 'messages' ? 'AnthropicError' : 'OpenAiError',
    };
  }),
  {
    method: 'GET', path: '/v1/responses/{response}', tag: V1, caller: 'connectToken', headers: WORKSPACE, summary: 'A response that is stored', failure: 'OpenAiError',
    description: "Only to the person who asked for it, in its workspace. A request to /v1/responses goes on from it with `previous_response_id`, and takes an item of it with `item_reference`, on every model.",
    answers: { 200: json('The response, in the shape of POST /v1/responses', storedResponse) },
  },
  {
    method: 'DELETE', path: '/v1/responses/{response}', tag: V1, caller: 'connectToken', headers: WORKSPACE, summary: 'Delete a stored response', failure: 'OpenAiError',
    answers: { 200: json('It is gone', z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) })) },
  },
  {
    method: 'GET', path: '/v1/responses/{response}/input_items', tag: V1, caller: 'connectToken', headers: WORKSPACE, summary: 'The items that a stored response was made from, earlier turns included', failure: 'OpenAiError',
    query: z.object({ after: z.string().optional(), limit: z.coerce.number().int().min(1).max(100).optional(), order: z.enum(['asc', 'desc']).optional() }),
    answers: { 200: json('A page of them, the latest first', z.object({ object: z.literal('list'), data: z.array(z.looseObject({ id: z.string(), type: z.string() })), first_id: z.string().nullable(), last_id: z.string().nullable(), has_more: z.boolean() })) },
  },
  {
    method: 'GET', path: '/v1/models', tag: V1, caller: 'connectToken', headers: WORKSPACE, summary: 'The models that the policy allows', failure: 'OpenAiError',
    answers: { 200: json('The models, in the order of the catalogue', z.object({ object: z.literal('list'), data: z.array(model), has_more: z.literal(false), first_id: z.string().nullable(), last_id: z.string().nullable() })) },
  },
  {
    method: 'GET', path: '/v1/models/{model}', tag: V1, caller: 'connectToken', headers: WORKSPACE, summary: 'One model; its id may hold a slash', failure: 'OpenAiError',
    answers: { 200: json('The model', model) },
  },
  {
    method: 'POST', path: '/api/chat', tag: 'Chat', caller: 'session', summary: 'Ask in a conversation that is kept',
    description: 'A refusal stores nothing; once the request is admitted the message is stored, before a provider is asked. Closing the connection does not stop the answer. `mode: "background"`, or a message that names a capability with @, starts a background run.',
    body: { type: 'application/json', schema: chatRequest },
    answers: { 200: { ...STREAM, headers: { ...STREAM.headers, ...PAID, 'x-service-message': 'The stored message: what `replace` takes.' } } },
  },
  {
    method: 'GET', path: '/api/chat/{thread}/stream', tag: 'Chat', caller: 'session', summary: 'Follow the answer that is being written',
    query: z.object({ after: z.coerce.number().int().min(-1).optional() }),
    headers: { 'last-event-id': 'The last event that was read; the stream goes on after it.' },
    answers: { 200: STREAM, 204: { text: 'Nothing is being written' } },
  },
  {
    method: 'POST', path: '/api/attachments', tag: 'Chat', caller: 'session', summary: 'Upload a file for a message: an image, a PDF document or text, at most 20 MiB',
    body: { type: 'multipart/form-data', schema: z.object({ file: z.string().meta({ format: 'binary' }), organization: z.string() }) },
    answers: { 201: json('The attachment', attachment) },
  },
  {
    method: 'GET', path: '/api/attachments/{id}', tag: 'Chat', caller: 'session', summary: "Download a file of one's own",
    answers: { 200: { text: 'The file', content: [{ type: 'application/octet-stream' }] } },
  },
];
