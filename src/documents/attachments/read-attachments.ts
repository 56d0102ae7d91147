// Attachments as shown to a model: images and PDFs as they are, short texts whole, long texts as the pieces nearest to
// the question, or their beginning if nothing can pay for the search. The text of an Office document is a text.
import { AppError } from '../../base/errors.ts';
import { IMAGE_WEIGHT, PIECES, WHOLE_CHARACTERS } from '../../contract/context/context-size.ts';
import type { MessageMetadata } from '../../contract/threads.ts';
import type { DocumentPart, InputPart } from '../../model-providers/codecs/neutral.ts';
import type { TurnCaller } from '../../turns/open-turn.ts';
import { type Attachment, findContent } from './attachments.ts';
import { embedAttachment, type EmbedDeps, findPieces, SEARCHED_CHARACTERS } from './embed-attachment.ts';
import { isOffice } from './document-types.ts';
import { embedTexts } from './embed-texts.ts';
import { decodeText } from './sniff-type.ts';

export type AttachmentUse = NonNullable<MessageMetadata['attachments']>[number];

export interface ShownAttachment {
  readonly part: InputPart;
  /** Its weight in a model's context, in bytes of text that would use as many tokens. */
  readonly weight: number;
  readonly use: AttachmentUse;
}

const BEGINNING_CHARACTERS = 16_000;
const QUESTION_CHARACTERS = 8_000;
/** Providers take about 32 MB per request, and base64 adds a third. */
const MOST_MEDIA_BYTES = 20 * 1024 * 1024;

/** Its text may have to be searched. That of an Office document is packed, so its size says little. */
export const isLongText = ({ type, size }: Pick<Attachment, 'type' | 'size'>): boolean =>
  !isMedia(type) && (isOffice(type) || size > WHOLE_CHARACTERS);

const isMedia = (type: string): boolean => type.startsWith('image/') || type === 'application/pdf';

export interface Shown {
  readonly organizationId: string;
  readonly threadId: string;
  /** The latest first: those are kept if not all fit. */
  readonly attachments: readonly Attachment[];
  readonly question: string;
}

export async function readAttachments(
  deps: EmbedDeps,
  caller: TurnCaller,
  { organizationId, threadId, attachments, question }: Shown,
  signal: AbortSignal,
): Promise<Map<string, ShownAttachment>> {
  const shown = new Map<string, ShownAttachment>();
  const search = createSearch(deps, caller, question, signal);
  let media = 0;
  for (const attachment of attachments) {
    const { id, type, size } = attachment;
    if (isMedia(type) && media + size > MOST_MEDIA_BYTES) {
      shown.set(id, leftOut(attachment));
      continue;
    }
    const content = await findContent(deps.db, { userId: caller.userId, organizationId, threadId }, id);
    if (!content) shown.set(id, leftOut(attachment));
    else if (isMedia(type)) {
      media += size;
      shown.set(id, showMedia(attachment, content));
    } else shown.set(id, await showText(attachment, decodeText(content) ?? '', search));
  }
  return shown;
}

/** The pieces of a long text nearest to the question, which is embedded once for all texts. */
type Search = (id: string, text: string) => Promise<readonly { readonly text: string }[]>;

function createSearch(deps: EmbedDeps, caller: TurnCaller, question: string, signal: AbortSignal): Search {
  let asked: Promise<number[]> | undefined;
  const questionVector = (): Promise<number[]> =>
    (asked ??= embedTexts(deps.turns, caller, [question.slice(0, QUESTION_CHARACTERS) || 'Summary'], signal).then(
      ([vector]) => vector ?? [],
    ));
  return async (id, text) => {
    await embedAttachment(deps, caller, { id, text }, signal);
    return findPieces(deps.db, id, await questionVector(), PIECES);
  };
}

function showMedia({ id, name, type }: Attachment, content: Buffer): ShownAttachment {
  const source = { kind: 'base64', mediaType: type, data: content.toString('base64') } as const;
  const use = { id, used: 'whole' } as const;
  return type === 'application/pdf'
    ? { part: { type: 'document', source, title: name }, weight: content.length, use }
    : { part: { type: 'image', source }, weight: IMAGE_WEIGHT, use };
}

async function showText({ id, name }: Attachment, text: string, search: Search): Promise<ShownAttachment> {
  if (text.length <= WHOLE_CHARACTERS) return asText(name, text, { id, used: 'whole' });
  try {
    const pieces = await search(id, text);
    const searched =
      text.length > SEARCHED_CHARACTERS ? ` (the first ${SEARCHED_CHARACTERS} characters were searched)` : '';
    return asText(
      `${name}: the ${pieces.length} passages nearest to the question${searched}`,
      pieces.map((piece) => piece.text).join('\n\n[…]\n\n'),
      { id, used: 'pieces' },
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return asText(`${name}: its beginning`, text.slice(0, BEGINNING_CHARACTERS).toWellFormed(), {
      id,
      used: 'beginning',
      reason: error.code,
    });
  }
}

function asText(title: string, text: string, use: AttachmentUse): ShownAttachment {
  const part: DocumentPart = { type: 'document', source: { kind: 'text', text }, title };
  return { part, weight: Buffer.byteLength(text), use };
}

function leftOut({ id, name }: Attachment): ShownAttachment {
  return {
    part: { type: 'text', text: `(The attachment ${name} is not shown: too much is attached to this conversation.)` },
    weight: 0,
    use: { id, used: 'left-out' },
  };
}
