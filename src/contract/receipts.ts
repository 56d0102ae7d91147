import { z } from 'zod';
import { cursor, id, nextCursor, page, timestamp } from './common.ts';
import { needsScope } from './needs-scope.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** A hash as stored. It may have been tampered with, and is then shown as it is. */
const storedHash = z.string();
const STREAM = /^[a-z-]+\/[\w.:-]+$/;
const streamName = z.string().min(1).max(300);

export const receipt = z.object({
  stream: z.string(),
  index: z.number().int(),
  kind: z.string(),
  /** ISO 8601 UTC with milliseconds. */
  at: z.string(),
  actor: z.string(),
  body: z.unknown(),
  prev: storedHash,
  hash: storedHash,
});
export type ReceiptOnWire = z.infer<typeof receipt>;

export const head = z.object({ index: z.number().int(), hash: storedHash });
export const fault = z.enum(['hash_mismatch', 'prev_mismatch', 'index_gap', 'head_mismatch']);

/** A receipt that a search found, with what it is about. */
const foundReceipt = receipt.extend({
  workspace: id,
  /** The user behind it: the actor, or who started the run. */
  person: z.string().optional(),
  /** The connector of a tool call. */
  app: z.string().optional(),
  tool: z.string().optional(),
  /** The run whose stream it is in, as it is now; its objective is shortened. */
  run: z.object({ id, objective: z.string(), status: z.string() }).optional(),
});
export type FoundReceiptOnWire = z.infer<typeof foundReceipt>;

const listedStream = z.object({
  stream: z.string(),
  head,
  /** Of the run whose stream it is, shortened. */
  objective: z.string().optional(),
});

const word = z.string().min(1).max(200);
const KINDS_MAX = 20;

const reading = needsScope('receipts:read', 'database');

export const receipts = {
  stream: reading
    .route({
      method: 'GET',
      path: '/service/stream',
      tags: ['Receipts'],
      summary: 'List the receipts of a stream, or the streams the caller may see',
      description:
        'With `accept: text/event-stream`, a live tail: one event per receipt with its index as the event id.',
    })
    .input(
      z.strictObject({
        stream: streamName.optional(),
        from: z.coerce.number().int().min(0).optional(),
        limit: z.coerce.number().int().min(1).max(1000).optional(),
        cursor: cursor.refine((name) => name === undefined || STREAM.test(name), 'is not a cursor of this list'),
      }),
    )
    .output(
      z.union([
        z.object({ receipts: z.array(receipt), head: head.nullable() }),
        z.object({ streams: z.array(listedStream), ...nextCursor }),
      ]),
    ),
  search: reading
    .route({
      method: 'GET',
      path: '/service/receipts',
      tags: ['Receipts'],
      summary: 'Search the receipts of all streams the caller may see, newest first',
      description:
        'Every filter narrows the list. `person` finds what a user did and everything their runs did. `app` and `tool` find tool calls, of runs too. `kind` takes several kinds, separated by commas. `since` is inclusive, `until` exclusive.',
    })
    .input(
      z.strictObject({
        person: word.optional(),
        app: word.optional(),
        tool: word.optional(),
        kind: z
          .string()
          .max(1000)
          .refine((text) => text.split(',').length <= KINDS_MAX, `must name at most ${KINDS_MAX} kinds`)
          .optional(),
        workspace: id.optional(),
        since: z.iso.datetime({ offset: true }).optional(),
        until: z.iso.datetime({ offset: true }).optional(),
        ...page,
      }),
    )
    .output(z.object({ receipts: z.array(foundReceipt), ...nextCursor })),
  verify: needsScope('receipts:read', 'cpu')
    .route({
      method: 'GET',
      path: '/service/verify',
      tags: ['Receipts'],
      summary: 'Verify a stream from its first receipt to its head',
    })
    .input(z.strictObject({ stream: streamName }))
    .output(
      z.object({
        stream: z.string(),
        ok: z.boolean(),
        count: z.number().int(),
        head: head.nullable(),
        reason: fault.optional(),
        index: z.number().int().optional(),
      }),
    ),
  checkpoint: reading
    .route({
      method: 'GET',
      path: '/service/checkpoint',
      tags: ['Receipts'],
      summary: 'Read the last checkpoint over all streams, with the inclusion proof of a given stream',
    })
    .input(z.strictObject({ stream: streamName.optional() }))
    .output(
      z.object({
        checkpoint: z
          .object({ id: z.number().int(), at: timestamp, streams: z.number().int(), root: hash, note: z.string() })
          .nullable(),
        inclusion: z
          .object({
            stream: z.string(),
            index: z.number().int(),
            hash: storedHash,
            leaf: z.number().int(),
            proof: z.array(hash),
          })
          .optional(),
      }),
    ),
};
