// The conversation sent to the model: the latest whole messages that fit its context, with their attachments. The
// question itself is always included.
import type { MessagePart } from '../contract/threads.ts';
import type { InputPart, NeutralMessage } from '../model-providers/codecs/neutral.ts';
import type { Queryable } from '../store/database.ts';
import type { Attachment } from '../documents/attachments/attachments.ts';
import type { AttachmentUse, ShownAttachment } from '../documents/attachments/read-attachments.ts';
import { listFitting, type StoredMessage } from './messages.ts';
import { runText } from './show-runs.ts';

const PAGE = 200;

/** A question and the latest messages before it whose texts fit, in order. What does not fit is not read. */
export async function readMessages(
  db: Queryable,
  threadId: string,
  asked: StoredMessage,
  budget: number,
): Promise<StoredMessage[]> {
  let kept = [asked];
  let left = budget - textBytes(asked.parts);
  for (let before = asked.position; before > 0 && left >= 0;) {
    const page = await listFitting(db, threadId, { before, limit: PAGE, textBytes: left });
    const [first] = page;
    if (!first) break;
    kept = [...page, ...kept];
    left -= page.reduce((sum, { parts }) => sum + textBytes(parts), 0);
    before = first.position;
  }
  return kept;
}

/** The attachments of messages, the latest first. */
export function listAttachments(messages: readonly StoredMessage[]): Attachment[] {
  const found = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'data-attachment' ? [part.data] : [])),
  );
  return [...new Map(found.map((attachment) => [attachment.id, attachment])).values()].toReversed();
}

export interface Conversation {
  readonly messages: readonly NeutralMessage[];
  readonly inputBytes: number;
  /** The part of it that is the question and its attachments. */
  readonly questionBytes: number;
  /** How many of the oldest messages are not among them. */
  readonly leftOut: number;
  readonly attachments: readonly AttachmentUse[];
}

/** With attachments, the oldest messages may no longer fit: they are dropped, the question stays. */
export function buildConversation(
  stored: readonly StoredMessage[],
  shown: ReadonlyMap<string, ShownAttachment>,
  budget: number,
): Conversation {
  const weights = stored.map(
    ({ parts }) =>
      textBytes(parts) +
      parts.reduce(
        (sum, part) => sum + (part.type === 'data-attachment' ? (shown.get(part.data.id)?.weight ?? 0) : 0),
        0,
      ),
  );
  let first = stored.length - 1;
  const questionBytes = weights[first] ?? 0;
  let inputBytes = questionBytes;
  while (first > 0 && inputBytes + (weights[first - 1] ?? 0) <= budget) inputBytes += weights[--first] ?? 0;
  const kept = stored.slice(Math.max(first, 0));
  const uses = listAttachments(kept).flatMap(({ id }) => shown.get(id)?.use ?? []);
  return {
    messages: kept.flatMap((message) => toNeutral(message, shown)),
    inputBytes,
    questionBytes,
    leftOut: kept[0]?.position ?? 0,
    attachments: uses,
  };
}

/** Reasoning is not sent again: the provider would refuse it without its signature. */
function toNeutral({ role, parts }: StoredMessage, shown: ReadonlyMap<string, ShownAttachment>): NeutralMessage[] {
  if (role === 'assistant') {
    const texts = parts.map(answerText).flatMap((text) => (text === '' ? [] : [{ type: 'text' as const, text }]));
    return texts.length > 0 ? [{ role, parts: texts }] : [];
  }
  const content = parts.flatMap((part): InputPart[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    const attachment = part.type === 'data-attachment' ? shown.get(part.data.id) : undefined;
    return attachment ? [attachment.part] : [];
  });
  return content.length > 0 ? [{ role, parts: content }] : [];
}

/** A run's final answer is an answer like any other. */
function answerText(part: MessagePart): string {
  if (part.type === 'data-job') return runText(part.data);
  return part.type === 'text' ? part.text : '';
}

function textBytes(parts: readonly MessagePart[]): number {
  return parts.reduce((sum, part) => sum + Buffer.byteLength(answerText(part)), 0);
}
