// Moving in: chats that another service exported.
import { z } from 'zod';
import { route } from '../authority.ts';
import { id, nextCursor, page, timestamp } from '../common.ts';
import {
  IMPORT_LIMITS,
  IMPORT_NOTES,
  IMPORT_OUTCOMES,
  IMPORT_REASONS,
  IMPORT_SOURCES,
  IMPORT_STATES,
} from './import-words.ts';

export const chatImport = z.object({
  id,
  organization: id,
  workspace: id,
  /** Of the file. */
  name: z.string(),
  /** Of the file, in bytes. */
  size: z.number().int(),
  received: z.number().int(),
  state: z.enum(IMPORT_STATES),
  /** Why it failed: the code of an error. */
  reason: z.string().optional(),
  /** Once a conversation was recognized. */
  source: z.enum(IMPORT_SOURCES).optional(),
  /** Of reading the file, 0 to 1. */
  progress: z.number(),
  /** Chats and projects that were taken, were there already, and were not taken. */
  taken: z.number().int(),
  present: z.number().int(),
  leftOut: z.number().int(),
  createdAt: timestamp,
  endedAt: timestamp.optional(),
});
export type ChatImport = z.infer<typeof chatImport>;

const importItem = z.object({
  number: z.number().int(),
  kind: z.enum(['chat', 'project']),
  outcome: z.enum(IMPORT_OUTCOMES),
  title: z.string(),
  /** The chat; absent once it was deleted. */
  thread: id.optional(),
  /** Why it was not taken. */
  reason: z.enum(IMPORT_REASONS).optional(),
  messages: z.number().int(),
  /** What of it was not taken, and how often. */
  notes: z.partialRecord(z.enum(IMPORT_NOTES), z.number().int()),
});
export type ImportItem = z.infer<typeof importItem>;

const found = z.object({ import: chatImport });
const one = z.strictObject({ import: id });

export const imports = {
  list: route('database', 'member', 'query')
    .route({
      method: 'GET',
      path: '/api/imports',
      tags: ['Imports'],
      summary: "The caller's imports, the latest first",
      description: 'Reports are kept for 90 days.',
    })
    .input(z.strictObject({ organization: id, ...page }))
    .output(z.object({ imports: z.array(chatImport), ...nextCursor })),
  create: route('database', 'workspace-member', 'body')
    .route({
      method: 'POST',
      path: '/api/imports',
      successStatus: 201,
      tags: ['Imports'],
      summary: 'Begin an import of chats from ChatGPT, Claude or LibreChat',
      description: `Then send the file in parts of ${IMPORT_LIMITS.partBytes} bytes, the last one with the rest, and start the import. Chats go to \`workspace\`, or to Default. Projects of the export are made there for the caller alone, or matched by name with the caller's own, unless \`projects\` is false. 409 \`import_in_progress\` while another one of the caller has not ended, 413 \`import_too_large\` for a file beyond the limit.`,
    })
    .input(
      z.strictObject({
        organization: id,
        workspace: id.optional(),
        name: z.string().trim().min(1).max(IMPORT_LIMITS.name),
        size: z.number().int().min(1),
        projects: z.boolean().optional(),
      }),
    )
    .output(found),
  show: route('database', 'own')
    .route({
      method: 'GET',
      path: '/api/imports/{import}',
      tags: ['Imports'],
      summary: 'An import, and the parts of its file that were received',
    })
    .input(one)
    .output(found.extend({ parts: z.array(z.number().int()) })),
  start: route('database', 'own')
    .route({
      method: 'POST',
      path: '/api/imports/{import}/start',
      tags: ['Imports'],
      summary: 'Start an import whose file was received',
      description: 'It goes on in the background. 409 `import_incomplete` if parts are missing.',
    })
    .input(one)
    .output(found),
  cancel: route('database', 'own')
    .route({
      method: 'POST',
      path: '/api/imports/{import}/cancel',
      tags: ['Imports'],
      summary: 'Cancel an import',
      description: 'Chats that were taken stay. One that has ended stays as it is.',
    })
    .input(one)
    .output(found),
  items: route('database', 'own')
    .route({
      method: 'GET',
      path: '/api/imports/{import}/items',
      tags: ['Imports'],
      summary: 'What became of each chat and project of the file',
      description: 'In the order of the file; with `outcome` only some of them.',
    })
    .input(z.strictObject({ import: id, outcome: z.enum(IMPORT_OUTCOMES).optional(), ...page }))
    .output(z.object({ items: z.array(importItem), ...nextCursor })),
};
