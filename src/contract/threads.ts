import { z } from 'zod';
import { ATTACHMENT_LIMITS } from './attachments.ts';
import { route } from './authority.ts';
import { done, id, nextCursor, page, timestamp } from './common.ts';
import { jobStatus, waiting } from './jobs.ts';

const storable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
const UNSTORABLE = 'must not contain a zero character or an unpaired surrogate';

/** A run that a message started, in its current state. Without a status it is no longer visible to the reader. */
export const shownRun = z.object({
  id,
  objective: z.string(),
  status: jobStatus.optional(),
  waiting: waiting.optional(),
  /** Its final answer, as text. */
  result: z.string().optional(),
  error: z.string().optional(),
  endedAt: timestamp.optional(),
});
export type ShownRun = z.infer<typeof shownRun>;

/** A part of a message, as in the AI SDK's UI messages. */
export const messagePart = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  z.object({
    type: z.literal('data-attachment'),
    data: z.object({ id, name: z.string(), type: z.string(), size: z.number() }),
  }),
  z.object({ type: z.literal('data-job'), data: shownRun }),
]);
export type MessagePart = z.infer<typeof messagePart>;

/** Facts about an answer besides its text. Money is in USD. */
export const messageMetadata = z.object({
  model: z.string().optional(),
  provider: z.string().optional(),
  credential: z.enum(['models-account', 'own-key', 'platform']).optional(),
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  cost: z.number().optional(),
  finish: z.enum(['stop', 'length', 'content-filter', 'tool-calls', 'stopped', 'error']).optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  toolSwitches: z.record(z.string(), z.json()).optional(),
  /** How each attachment of the conversation reached the model; `reason` says why only its beginning was used. */
  attachments: z
    .array(z.object({ id, used: z.enum(['whole', 'pieces', 'beginning', 'left-out']), reason: z.string().optional() }))
    .optional(),
});
export type MessageMetadata = z.infer<typeof messageMetadata>;

export const message = z.object({
  id,
  role: z.enum(['user', 'assistant']),
  parts: z.array(messagePart),
  metadata: messageMetadata,
  createdAt: timestamp,
});
export type Message = z.infer<typeof message>;

export const thread = z.object({ id, title: z.string(), workspace: id, createdAt: timestamp, updatedAt: timestamp });
export type Thread = z.infer<typeof thread>;

/** With its organization, so that a link alone opens the right one. */
export const shownThread = thread.extend({ organization: id, messages: z.array(message) });
export type ShownThread = z.infer<typeof shownThread>;

export const threads = {
  list: route('database', 'member', 'query')
    .route({ method: 'GET', path: '/api/threads', tags: ['Chat'], summary: "The caller's threads, the latest first" })
    .input(
      z.strictObject({
        organization: id,
        workspace: id.optional(),
        search: z.string().max(200).refine(storable, UNSTORABLE).optional(),
        ...page,
      }),
    )
    .output(z.object({ threads: z.array(thread), ...nextCursor })),
  show: route('database', 'own')
    .route({
      method: 'GET',
      path: '/api/threads/{thread}',
      tags: ['Chat'],
      summary: 'A thread and its latest messages; `before` pages back',
      description: '`streaming` is true while an answer is being written: follow it at /api/chat/{thread}/stream.',
    })
    .input(
      z.strictObject({
        thread: id,
        before: z.coerce.number().int().min(0).optional(),
        limit: z.coerce.number().int().min(1).max(200).optional(),
      }),
    )
    .output(z.object({ thread: shownThread, streaming: z.boolean(), before: z.number().int().optional() })),
  update: route('database', 'own')
    .route({ method: 'PATCH', path: '/api/threads/{thread}', tags: ['Chat'], summary: 'Rename a thread' })
    .input(z.strictObject({ thread: id, title: z.string().trim().min(1).max(200).refine(storable, UNSTORABLE) }))
    .output(z.object({ thread })),
  remove: route('database', 'own')
    .route({ method: 'DELETE', path: '/api/threads/{thread}', tags: ['Chat'], summary: 'Delete a thread' })
    .input(z.strictObject({ thread: id }))
    .output(done),
};

export const chat = {
  stop: route('provider', 'own')
    .route({
      method: 'POST',
      path: '/api/chat/{thread}/stop',
      tags: ['Chat'],
      summary: 'Stop the answer that is being written',
      description:
        'What was written stays. Answers once the thread is free again; `stopped` is false when nothing was being written.',
    })
    .input(z.strictObject({ thread: id }))
    .output(z.object({ ok: z.literal(true), stopped: z.boolean() })),
};

/** The body of `POST /api/chat`; the answer is the AI SDK's UI message stream. */
export const chatRequest = z
  .strictObject({
    organization: id,
    workspace: id.optional(),
    thread: id.optional(),
    model: z.string().min(1).max(200),
    message: z.strictObject({
      text: z.string().max(2_000_000).refine(storable, UNSTORABLE),
      attachments: z.array(id).max(ATTACHMENT_LIMITS.files).optional(),
    }),
    mode: z.enum(['answer', 'background']).optional(),
    capabilities: z.array(z.string().min(1).max(200)).max(50).optional(),
    /** Replaces this message of the user and everything after it: edit and retry. */
    replace: id.optional(),
  })
  .refine(({ message }) => message.text.trim() !== '' || (message.attachments ?? []).length > 0, {
    path: ['message', 'text'],
    message: 'needs text or an attachment',
  });
export type ChatRequest = z.infer<typeof chatRequest>;
