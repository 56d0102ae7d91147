import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { ATTACHMENT_LIMITS } from '../../contract/attachments.ts';
import type { Database } from '../../store/database.ts';
import { getMembership } from '../../tenancy/members/get-membership.ts';
import { type Attachment, insertAttachment, storedBytes, unsentBytes } from './attachments.ts';
import { takeStorage } from '../../enforcement/storage.ts';
import { cleanName } from './clean-name.ts';
import { DOCUMENT_TYPES, isOffice } from './document-types.ts';
import { countPdfPages, extractText } from './extract-text.ts';
import { getType } from './sniff-type.ts';
import type { ExtractedText } from './text-collector.ts';

const MOST_BYTES = ATTACHMENT_LIMITS.bytes;
/** How much one user may have uploaded but not sent. */
const MOST_UNSENT_BYTES = 200 * 1024 * 1024;

export interface Upload {
  readonly userId: string;
  readonly organization: string;
  readonly name: string;
  readonly content: Buffer;
  /** The storage limit of the organization: `SERVICE_STORAGE_PER_ORGANIZATION_BYTES`. */
  readonly storageBytes: number;
}

/** Stores a file for its owner, who may then send it with a message. Says what a document consists of, if known. */
export async function storeAttachment(
  db: Database,
  { userId, organization, name: given, content, storageBytes }: Upload,
  signal: AbortSignal,
): Promise<Attachment> {
  const { organizationId } = await getMembership(db, { userId, organizationId: organization });
  if (content.length > MOST_BYTES) throw new AppError('request_too_large', { limitBytes: MOST_BYTES });
  if (content.length === 0) throw new AppError('invalid_request', { file: 'is empty' });
  const name = cleanName(given);
  const type = getType(content, name);
  if ((await unsentBytes(db, organizationId, userId)) + content.length > MOST_UNSENT_BYTES)
    throw new AppError('request_too_large', {
      limitBytes: MOST_UNSENT_BYTES,
      file: 'too much is uploaded but not sent; send some of it first or try again later',
    });
  const { text, parts } = await readDocument(name, type, content, signal);
  const attachment = { id: newId('att'), name, type, size: content.length, ...(parts && { parts }) };
  await db.transaction(async (tx) => {
    await takeStorage(tx, organizationId, storedBytes({ ...attachment, text }), storageBytes);
    await insertAttachment(tx, { ...attachment, organizationId, userId, content, text });
  });
  return attachment;
}

/** Models take PDF documents as they are, so their pages are only counted. */
async function readDocument(
  name: string,
  type: string,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<Partial<ExtractedText>> {
  if (isOffice(type)) return extractText({ bytes, type, name }, signal);
  return type === DOCUMENT_TYPES.pdf ? countPdfPages(bytes, signal) : {};
}
