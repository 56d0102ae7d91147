import { z } from 'zod';
import { fieldValues } from './recipes/recipe-parts.ts';
import { ATTACHMENT_LIMITS, FILE_PARTS } from './attachments.ts';
import { route } from './authority.ts';
import { done, id, nextCursor, page, served, timestamp } from './common.ts';
import { jobStatus, waiting } from './jobs.ts';
import { givenFeedback } from './feedback/feedback.ts';
import { IMPORT_SOURCES } from './imports/import-words.ts';
import { EFFORTS } from './models.ts';
import { shareOfThread } from './share-of-thread.ts';

/** Of a message in its thread. */
const position = z.coerce.number().int().min(0);

/** A run that a message started, in its current state. Without a status it is no longer visible to the reader. */
const shownRun = z.object({
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

/** What an attached document consists of, if it is known. */
export const fileParts = z.object({ kind: z.enum(FILE_PARTS), count: z.number().int().min(0) });

/** A part of a message, as in the AI SDK's UI messages. */
const messagePart = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), text: z.string(), durationMs: z.number().int().min(0).optional() }),
  z.object({
    type: z.literal('data-attachment'),
    data: z.object({ id, name: z.string(), type: z.string(), size: z.number(), parts: fileParts.optional() }),
  }),
  z.object({ type: z.literal('data-job'), data: shownRun }),
]);
export type MessagePart = z.infer<typeof messagePart>;

/** A passage of a project file. The excerpt stays when the file is deleted. */
export const messageSource = z.object({
  number: z.number().int(),
  file: id,
  name: z.string(),
  /** Which piece of the file it is, from 0. */
  position: z.number().int(),
  excerpt: z.string(),
});
export type MessageSource = z.infer<typeof messageSource>;

/** Facts about an answer besides its text. Money is in USD. */
export const messageMetadata = z.object({
  model: z.string().optional(),
  served,
  provider: z.string().optional(),
  credential: z.enum(['models-account', 'own-key', 'platform']).optional(),
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  /** The part of the input that the provider read from its cache. */
  cachedTokens: z.number().optional(),
  cost: z.number().optional(),
  finish: z.enum(['stop', 'length', 'content-filter', 'tool-calls', 'stopped', 'error']).optional(),
  /** Why there is no answer, or only part of one; `at` is when it failed. */
  error: z.object({ code: z.string(), message: z.string(), at: timestamp.optional() }).optional(),
  toolSwitches: z.record(z.string(), z.unknown()).optional(),
  /** What was set for the answer. */
  effort: z.enum(EFFORTS).optional(),
  temperature: z.number().optional(),
  /**
   * What the model was given besides the answer's own text, in bytes of text by what it was: `history` has the messages
   * before the question, of which the oldest `leftOut` did not fit.
   */
  context: z
    .object({
      instructions: z.number(),
      files: z.number(),
      history: z.number(),
      question: z.number(),
      leftOut: z.number().int(),
    })
    .optional(),
  /** How each attachment of the conversation reached the model; `reason` says why only its beginning was used. */
  attachments: z
    .array(z.object({ id, used: z.enum(['whole', 'pieces', 'beginning', 'left-out']), reason: z.string().optional() }))
    .optional(),
  /** The passages of project files that the answer was given, by the number that it may cite them with. */
  sources: z.array(messageSource).optional(),
});
export type MessageMetadata = z.infer<typeof messageMetadata>;

/** The versions of a message, oldest first: `ids[index]` is the one that is shown. */
const messageVersions = z.object({
  ids: z.array(id),
  index: z.number().int(),
  count: z.number().int(),
});
export type MessageVersions = z.infer<typeof messageVersions>;

export const message = z.object({
  id,
  role: z.enum(['user', 'assistant']),
  parts: z.array(messagePart),
  metadata: messageMetadata,
  createdAt: timestamp,
  /** Only if there is more than one. */
  versions: messageVersions.optional(),
  /** How the reader has rated it. */
  feedback: givenFeedback.optional(),
  /** Only if the message is too large for a page, and `parts` has its beginning: its size as a whole. */
  wholeBytes: z.number().int().optional(),
});
export type Message = z.infer<typeof message>;

export const thread = z.object({
  id,
  title: z.string(),
  workspace: id,
  createdAt: timestamp,
  updatedAt: timestamp,
  /**
   * The workspace was chosen. Otherwise it is Default because none was, and in strict mode the organization's keys are
   * used. This and the next five are absent if they do not apply.
   */
  workspacePicked: z.literal(true).optional(),
  /** Listed first. */
  pinned: z.literal(true).optional(),
  /** Listed only on request. */
  archived: z.literal(true).optional(),
  /** There is a link under which members of its workspace can read it. */
  shared: z.literal(true).optional(),
  /** The project that it is in. */
  project: id.optional(),
  /** The service that it was imported from. */
  importedFrom: z.enum(IMPORT_SOURCES).optional(),
});
export type Thread = z.infer<typeof thread>;

/** With its organization, so that a link alone opens the right one. */
const shownThread = thread.extend({ organization: id, messages: z.array(message) });
export type ShownThread = z.infer<typeof shownThread>;

/** A piece of a message; `match` marks the words that were searched for. */
const snippetPart = z.object({ text: z.string(), match: z.literal(true).optional() });
export type SnippetPart = z.infer<typeof snippetPart>;

const foundMessage = z.object({
  thread,
  message: z.object({ id, role: message.shape.role, createdAt: timestamp }),
  snippet: z.array(snippetPart),
});
export type FoundMessage = z.infer<typeof foundMessage>;

export const threads = {
  search: route('cpu', 'member', 'query')
    .route({
      method: 'GET',
      path: '/api/threads/search',
      tags: ['Chat'],
      summary: "Search the messages of the caller's threads, the latest first",
      description:
        'Finds messages that contain every word of `q`, in any of its English or German forms. The last word may be the beginning of one. Archived threads are searched too. Attachments are found by name.',
    })
    .input(
      z.strictObject({
        organization: id,
        workspace: id.optional(),
        q: z.string().min(1).max(200),
        cursor: page.cursor,
        limit: z.coerce.number().int().min(1).max(50).optional(),
      }),
    )
    .output(z.object({ results: z.array(foundMessage), ...nextCursor })),
  list: route('database', 'member', 'query')
    .route({
      method: 'GET',
      path: '/api/threads',
      tags: ['Chat'],
      summary: "The caller's threads, the latest first",
      description:
        'Pinned threads come before all others. `search` finds them by their titles; `project` lists those in one project.',
    })
    .input(
      z.strictObject({
        organization: id,
        workspace: id.optional(),
        search: z.string().max(200).optional(),
        show: z.enum(['active', 'archived', 'all']).optional(),
        project: id.optional(),
        ...page,
      }),
    )
    .output(z.object({ threads: z.array(thread), ...nextCursor })),
  show: route('database', 'own')
    .route({
      method: 'GET',
      path: '/api/threads/{thread}',
      tags: ['Chat'],
      summary: 'A thread and its latest messages, or those around one; `before` and `after` page on',
      description:
        '`streaming` is true while an answer is being written: follow it at /api/chat/{thread}/stream. An edited question and an answer that was tried again have `versions`: `ids`, oldest first, and the `index` of the one in `messages`. A page ends at 1 MiB, also below `limit`: more is `before` it, and `after` it unless it ends with the latest. With `around`, the page has messages on both sides of that one, or the latest if the thread does not show it. Of a message over 64 KiB it has the beginning and `wholeBytes`; the whole is at /api/threads/{thread}/messages/{message}.',
    })
    .input(
      z
        .strictObject({
          thread: id,
          before: position.optional(),
          after: position.optional(),
          around: id.optional(),
          limit: z.coerce.number().int().min(1).max(200).optional(),
        })
        .refine((at) => [at.before, at.after, at.around].filter((place) => place !== undefined).length <= 1, {
          path: ['around'],
          message: 'goes without `before` and `after`, which go without each other',
        }),
    )
    .output(
      z.object({
        thread: shownThread,
        streaming: z.boolean(),
        before: z.number().int().optional(),
        after: z.number().int().optional(),
      }),
    ),
  update: route('database', 'own')
    .route({
      method: 'PATCH',
      path: '/api/threads/{thread}',
      tags: ['Chat'],
      summary: 'Rename, pin, archive or move a thread',
      description:
        'Omitted fields stay as they are. `project` moves it into a project of its workspace, `null` out of the one it is in.',
    })
    .input(
      z.strictObject({
        thread: id,
        title: z.string().trim().min(1).max(200).optional(),
        pinned: z.boolean().optional(),
        archived: z.boolean().optional(),
        project: id.nullable().optional(),
      }),
    )
    .output(z.object({ thread })),
  remove: route('database', 'own')
    .route({ method: 'DELETE', path: '/api/threads/{thread}', tags: ['Chat'], summary: 'Delete a thread' })
    .input(z.strictObject({ thread: id }))
    .output(done),
  switchVersion: route('database', 'own')
    .route({
      method: 'POST',
      path: '/api/threads/{thread}/switch',
      tags: ['Chat'],
      summary: 'Show another version of a message',
      description:
        'The thread then shows this message and what followed it when it was last shown; the next question continues from there. 409 `thread_busy` while an answer is being written.',
    })
    .input(z.strictObject({ thread: id, message: id }))
    .output(done),
  removeVersion: route('provider', 'own')
    .route({
      method: 'DELETE',
      path: '/api/threads/{thread}/messages/{message}',
      tags: ['Chat'],
      summary: 'Delete a version of a message and everything that followed it',
      description:
        'If it is the one shown, the version before it takes its place, or else the one after it. An answer that is being written is stopped first; otherwise 409 `thread_busy` while one is.',
    })
    .input(z.strictObject({ thread: id, message: id }))
    .output(done),
  copy: route('database', 'own')
    .route({
      method: 'POST',
      path: '/api/threads/{thread}/copy',
      successStatus: 201,
      tags: ['Chat'],
      summary: 'Continue in a new thread: a copy of the messages up to one of them, with their files',
    })
    .input(z.strictObject({ thread: id, message: id }))
    .output(z.object({ thread })),
  removeMany: route('database', 'member', 'body')
    .route({
      method: 'POST',
      path: '/api/threads/delete',
      tags: ['Chat'],
      summary: "Delete several of the caller's threads",
      description: 'Ids of other threads are ignored; `deleted` has those that were deleted.',
    })
    .input(z.strictObject({ organization: id, threads: z.array(id).min(1).max(200) }))
    .output(z.object({ deleted: z.array(id) })),
  share: shareOfThread,
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
    /** Begins a thread in this project. A thread that exists is moved with `PATCH /api/threads/{thread}`. */
    project: id.optional(),
    model: z.string().min(1).max(200),
    message: z.strictObject({
      text: z.string().max(2_000_000),
      attachments: z.array(id).max(ATTACHMENT_LIMITS.files).optional(),
    }),
    mode: z.enum(['answer', 'background']).optional(),
    capabilities: z.array(z.string().min(1).max(200)).max(50).optional(),
    /** A recipe of the workspace: its run is started, and the message says to people what was asked. */
    recipe: z.strictObject({ id, fields: fieldValues.optional() }).optional(),
    /**
     * For direct answers: one of the efforts, and a temperature, that `GET /api/models` lists for the model. Background
     * runs do not use them.
     */
    effort: z.enum(EFFORTS).optional(),
    temperature: z.number().min(0).max(2).optional(),
    /**
     * A message of the user in the thread. Other text or attachments are a new version of it; the same ones ask for a
     * new version of its answer. What followed is kept with the version before.
     */
    replace: id.optional(),
    /** The last message that the sender has seen: if the thread has changed since, the request is refused. */
    after: id.optional(),
  })
  .refine(({ message }) => message.text.trim() !== '' || (message.attachments ?? []).length > 0, {
    path: ['message', 'text'],
    message: 'needs text or an attachment',
  })
  .refine(({ thread: existing, project }) => existing === undefined || project === undefined, {
    path: ['project'],
    message: 'is for a new thread only',
  });
export type ChatRequest = z.infer<typeof chatRequest>;
