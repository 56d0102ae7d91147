// Chat: the provider-compatible surfaces, and the web app's own conversations.
import { z } from 'zod';
import { IMPORT_LIMITS } from '../../contract/imports/import-words.ts';
import { chatImport } from '../../contract/imports/imports.ts';
import { PROJECT_LIMITS } from '../../contract/project-limits.ts';
import { projectFile } from '../../contract/projects.ts';
import { sharedMessage } from '../../contract/shares.ts';
import { chatRequest, fileParts, message as threadMessage, messageMetadata, thread } from '../../contract/threads.ts';
import { type ChatSurface, PASSED, SURFACES } from '../v1/surfaces.ts';
import { type DescribedAnswer, binary, type DescribedRoute, json } from './described-route.ts';
import { chatCompletion, chatCompletionChunk, chatCompletionRequest } from './v1/chat-completions.ts';
import { embeddingList, embeddingRequest } from './v1/embeddings.ts';
import { countTokensRequest, message, messageEvent, messageRequest, tokenCount } from './v1/messages.ts';
import { model, modelList } from './v1/models.ts';
import { responseEvent, responseObject, responseRequest } from './v1/responses.ts';

const PAID = {
  'x-service-credential': 'The credential that paid: models-account, own-key or platform.',
  'x-service-provider': 'The provider that answered.',
  'x-service-model': 'The model that answered, if the request named an automatic one or a route.',
  'x-service-tried': 'The models of a route that did not answer, and why: `openai/gpt-5.4;reason=rate_limited`.',
  'x-service-left-out':
    'Provider-run tools that were left out: platform credit does not cover them, or the model uses another protocol.',
};
const WORKSPACE = {
  'x-service-workspace': "The workspace whose keys may pay, by id or short name. Without it the token's, else Default.",
};
const V1 = 'Chat (/v1)';

interface Described {
  readonly summary: string;
  readonly protocol: string;
  readonly body: z.ZodType;
  readonly text: string;
  readonly answer: z.ZodType;
  /** The data of an event, if the response can be streamed. */
  readonly event?: z.ZodType;
}

/**
 * Request and response of each surface. One without a row is printed without a response, which a test of the document
 * detects.
 */
const V1_SURFACES: Readonly<Record<string, Described>> = {
  '/v1/chat/completions': {
    summary: 'Chat completion',
    protocol: "OpenAI's Chat Completions",
    body: chatCompletionRequest,
    text: 'The answer',
    answer: chatCompletion,
    event: chatCompletionChunk,
  },
  '/v1/responses': {
    summary: 'Response',
    protocol: "OpenAI's Responses",
    body: responseRequest,
    text: 'The answer',
    answer: responseObject,
    event: responseEvent,
  },
  '/v1/messages': {
    summary: 'Message',
    protocol: "Anthropic's Messages",
    body: messageRequest,
    text: 'The answer',
    answer: message,
    event: messageEvent,
  },
  '/v1/messages/count_tokens': {
    summary: 'Count the input tokens of a message: by Anthropic with your own key, otherwise an estimate',
    protocol: "Anthropic's Messages",
    body: countTokensRequest,
    text: 'The count',
    answer: tokenCount,
  },
  '/v1/embeddings': {
    summary: 'Embeddings',
    protocol: "OpenAI's Embeddings",
    body: embeddingRequest,
    text: 'The vectors',
    answer: embeddingList,
  },
};

const PASSED_SUMMARIES: Readonly<Record<string, string>> = {
  '/v1/audio/speech': 'Speech from text',
  '/v1/audio/transcriptions': 'Text from speech',
  '/v1/audio/translations': 'English text from speech',
  '/v1/images/generations': 'Make images',
  '/v1/images/edits': 'Edit images',
  '/v1/images/variations': 'Vary an image',
  '/v1/moderations': 'Moderations',
  '/v1/responses/compact': 'Compact a conversation',
};

/** The events of the AI SDK's UI message stream that this service sends. */
const uiMessageChunk = z
  .looseObject({
    type: z
      .string()
      .describe(
        'start, text-start, text-delta, text-end, reasoning-start, reasoning-delta, reasoning-end, data-job, message-metadata, finish, abort or error.',
      ),
    id: z.string().optional().describe('The block of text that a start, a delta and an end belong to.'),
    delta: z.string().optional(),
    messageId: z.string().optional(),
    messageMetadata: messageMetadata.extend({ toolSwitches: z.record(z.string(), z.unknown()).optional() }).optional(),
    data: z.unknown().optional(),
    finishReason: z.string().optional(),
    errorText: z.string().optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'UiMessageChunk' });

const STREAM: DescribedAnswer = {
  text: "The AI SDK's UI message stream: server-sent events that end with [DONE]",
  content: [{ type: 'text/event-stream', schema: uiMessageChunk }],
  headers: { 'x-service-thread': 'The thread.', 'x-vercel-ai-ui-message-stream': 'v1' },
};
const attachment = z.object({ id: z.string(), name: z.string(), size: z.number().int(), type: z.string() });
const uploaded = attachment.extend({ parts: fileParts.optional() });

export const CHAT_ROUTES: readonly DescribedRoute[] = [
  ...Object.entries(SURFACES).map(([path, { method, protocol }]) =>
    describeSurface(method, path, protocol, V1_SURFACES[path]),
  ),
  ...Object.keys(PASSED).map((path): DescribedRoute => ({
    method: 'POST',
    path,
    tag: V1,
    caller: 'connectToken',
    headers: WORKSPACE,
    summary: PASSED_SUMMARIES[path] ?? path,
    description:
      'Passed on to OpenAI, or to a Models account that serves the model, as it is; a form where OpenAI takes one. Not on platform credit: 400 `not_on_platform_credit`.',
    body: { type: 'application/json', schema: z.looseObject({ model: z.string().optional() }) },
    failure: 'OpenAiError',
    answers: {
      200: {
        text: "The provider's answer",
        content: [{ type: '*/*', schema: binary }],
        headers: { ...PAID, 'x-ratelimit-remaining-requests': "The provider's own, on an own key; and its others." },
      },
    },
  })),
  {
    method: 'GET',
    path: '/v1/responses/{response}',
    tag: V1,
    caller: 'connectToken',
    headers: WORKSPACE,
    summary: 'Read a stored response',
    failure: 'OpenAiError',
    description:
      'Only for the person who created it, in its workspace. A request to /v1/responses continues it with `previous_response_id`, and refers to one of its items with `item_reference`, with any model.',
    answers: { 200: json('The response, in the shape of POST /v1/responses', responseObject) },
  },
  {
    method: 'DELETE',
    path: '/v1/responses/{response}',
    tag: V1,
    caller: 'connectToken',
    headers: WORKSPACE,
    summary: 'Delete a stored response',
    failure: 'OpenAiError',
    answers: {
      200: json('Deleted', z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) })),
    },
  },
  {
    method: 'GET',
    path: '/v1/responses/{response}/input_items',
    tag: V1,
    caller: 'connectToken',
    headers: WORKSPACE,
    summary: 'List the input items of a stored response, including earlier turns',
    failure: 'OpenAiError',
    query: z.object({
      after: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(100).optional(),
      order: z.enum(['asc', 'desc']).optional(),
    }),
    answers: {
      200: json(
        'A page of items, newest first',
        z.object({
          object: z.literal('list'),
          data: z.array(z.looseObject({ id: z.string(), type: z.string() })),
          first_id: z.string().nullable(),
          last_id: z.string().nullable(),
          has_more: z.boolean(),
        }),
      ),
    },
  },
  {
    method: 'GET',
    path: '/v1/models',
    tag: V1,
    caller: 'connectToken',
    headers: WORKSPACE,
    summary: 'List the models that the policy allows',
    failure: 'OpenAiError',
    answers: { 200: json('The models, in the order of the catalogue', modelList) },
  },
  {
    method: 'GET',
    path: '/v1/models/{model}',
    tag: V1,
    caller: 'connectToken',
    headers: WORKSPACE,
    summary: 'Read a model; its id may contain a slash',
    failure: 'OpenAiError',
    answers: { 200: json('The model', model) },
  },
  {
    method: 'POST',
    path: '/api/chat',
    tag: 'Chat',
    caller: 'session',
    summary: 'Send a message in a stored conversation',
    description:
      'A refusal stores nothing; once the request is admitted the message is stored, before a provider is asked. Closing the connection does not stop the answer. `mode: "background"`, or a message that names a capability with @, starts a background run.',
    body: { type: 'application/json', schema: chatRequest },
    answers: {
      200: {
        ...STREAM,
        headers: { ...STREAM.headers, ...PAID, 'x-service-message': 'The stored message: what `replace` takes.' },
      },
    },
  },
  {
    method: 'GET',
    path: '/api/chat/{thread}/stream',
    tag: 'Chat',
    caller: 'session',
    summary: 'Follow an answer while it is being written',
    query: z.object({ after: z.coerce.number().int().min(-1).optional() }),
    headers: { 'last-event-id': 'The last event that was received; the stream continues after it.' },
    answers: { 200: STREAM, 204: { text: 'No answer is being written' } },
  },
  {
    method: 'GET',
    path: '/api/threads/{thread}/export',
    tag: 'Chat',
    caller: 'session',
    summary: 'Download a thread as a file',
    description:
      'Without `format`, the header `accept` decides between `application/json` and Markdown. The Markdown has what people read; the JSON has the messages as they are stored.',
    query: z.object({ format: z.enum(['markdown', 'json']).optional() }),
    answers: {
      200: {
        text: 'The whole conversation',
        content: [
          { type: 'text/markdown', schema: z.string() },
          {
            type: 'application/json',
            schema: z.object({ thread: thread.extend({ organization: z.string() }), messages: z.array(threadMessage) }),
          },
        ],
      },
    },
  },
  {
    method: 'GET',
    path: '/api/me/export',
    tag: 'People',
    caller: 'session',
    summary: 'Download everything of the signed-in person',
    description:
      'A ZIP archive of JSON files and of the person’s own files; its README.txt says what is where, and what is left out and why. Secrets are never in it. Asks for a fresh proof of who it is (403 `proof_required`). One at a time: 409 `export_in_progress`. With `check` nothing is sent: 204 if it could begin.',
    query: z.object({ check: z.string().optional() }),
    answers: {
      200: { text: 'The archive', content: [{ type: 'application/zip', schema: binary }] },
      204: { text: 'It could begin' },
    },
  },
  {
    method: 'GET',
    path: '/api/threads/{thread}/messages/{message}',
    tag: 'Chat',
    caller: 'session',
    summary: 'A message that the thread shows, as a whole',
    description: 'For those of which a page has only the beginning (`wholeBytes`).',
    answers: { 200: json('The message', z.object({ message: threadMessage })) },
  },
  {
    method: 'GET',
    path: '/api/shares/{share}/messages/{message}',
    tag: 'Chat',
    caller: 'session',
    summary: 'A message of a shared thread, as a whole',
    answers: { 200: json('The message', z.object({ message: sharedMessage })) },
  },
  {
    method: 'POST',
    path: '/api/attachments',
    tag: 'Chat',
    caller: 'session',
    summary: 'Upload a file for a message: an image, a PDF or Office document or text, at most 20 MiB',
    body: { type: 'multipart/form-data', schema: z.object({ file: binary, organization: z.string() }) },
    answers: { 201: json('The attachment', uploaded) },
  },
  {
    method: 'GET',
    path: '/api/attachments/{id}',
    tag: 'Chat',
    caller: 'session',
    summary: 'Download one of your files',
    answers: { 200: { text: 'The file', content: [{ type: 'application/octet-stream', schema: binary }] } },
  },
  {
    method: 'GET',
    path: '/api/attachments/{id}/image',
    tag: 'Chat',
    caller: 'session',
    summary: 'Show one of your images: PNG, JPEG, GIF or WebP, nothing else',
    answers: { 200: { text: 'The image', content: [{ type: 'application/octet-stream', schema: binary }] } },
  },
  {
    method: 'POST',
    path: '/api/projects/{project}/files',
    tag: 'Projects',
    caller: 'session',
    summary: `Add a file to a project: at most ${PROJECT_LIMITS.files} of them, ${PROJECT_LIMITS.bytes / 1024 / 1024} MiB each`,
    description:
      'Members of its workspace only. The text is read afterwards: a file is searched once its state is `ready`.',
    body: { type: 'multipart/form-data', schema: z.object({ file: binary }) },
    answers: { 201: json('The file', z.object({ file: projectFile })) },
  },
  {
    method: 'GET',
    path: '/api/projects/{project}/files/{file}',
    tag: 'Projects',
    caller: 'session',
    summary: 'Download a file of a project',
    answers: { 200: { text: 'The file', content: [{ type: 'application/octet-stream', schema: binary }] } },
  },
  {
    method: 'PUT',
    path: '/api/imports/{import}/parts/{part}',
    tag: 'Imports',
    caller: 'session',
    summary: `Send a part of the file of an import: ${IMPORT_LIMITS.partBytes} bytes, the last one the rest`,
    description: 'Parts are counted from 0, in any order. The same part again changes nothing.',
    body: { type: 'application/octet-stream', schema: binary },
    answers: { 200: json('The import', z.object({ import: chatImport })) },
  },
  {
    method: 'GET',
    path: '/api/imports/{import}/report',
    tag: 'Imports',
    caller: 'session',
    summary: 'Download the report of an import, as CSV',
    answers: { 200: { text: 'The report', content: [{ type: 'text/csv', schema: z.string() }] } },
  },
];

function describeSurface(
  method: 'POST',
  path: string,
  protocol: ChatSurface['protocol'],
  described: Described | undefined,
): DescribedRoute {
  const common = {
    method,
    path,
    tag: V1,
    caller: 'connectToken',
    headers: WORKSPACE,
    failure: protocol === 'messages' ? 'AnthropicError' : 'OpenAiError',
  } as const;
  if (!described) return { ...common, summary: path, answers: { 200: { text: 'The answer' } } };
  const { summary, protocol: named, body, text, answer, event } = described;
  return {
    ...common,
    summary: `${summary}, in ${named} protocol`,
    description:
      'Serves every model of the catalogue. The token needs the scope chat. Fields that are not listed here are handled as in the original protocol.',
    body: { type: 'application/json', schema: body },
    answers: {
      200: {
        text: event ? `${text}, streamed when \`stream\` is true` : text,
        content: [
          { type: 'application/json', schema: answer },
          ...(event ? [{ type: 'text/event-stream' as const, schema: event }] : []),
        ],
        headers: PAID,
      },
    },
  };
}
