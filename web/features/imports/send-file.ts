// Sends a file in parts, only those that are missing, and starts the import. It goes on while other pages are shown; if it
// is cut off, choosing the same file again continues it.
import { ORPCError } from '@orpc/client';
import { IMPORT_LIMITS } from '../../../src/contract/imports/import-words.ts';
import { client } from '../../api/client.ts';
import { errorCode, readFault } from '../../api/fault.ts';
import { createKeyedStore } from '../../kit/keyed-store.ts';

export interface Sending {
  readonly isSending: boolean;
  readonly problem?: string;
}

const NOT_SENDING: Sending = { isSending: false };

/** By the id of the import. */
export const sendings = createKeyedStore<Sending>({ empty: NOT_SENDING });

export async function sendFile(id: string, file: File): Promise<void> {
  sendings.set(id, { isSending: true });
  try {
    const { parts } = await client.imports.show({ import: id });
    const received = new Set(parts);
    for (let part = 0; part * IMPORT_LIMITS.partBytes < file.size; part++)
      if (!received.has(part)) await sendPart(id, part, file);
    await client.imports.start({ import: id });
    sendings.set(id, NOT_SENDING);
  } catch (error) {
    sendings.set(id, { isSending: false, problem: readFault(error).text });
  }
}

async function sendPart(id: string, part: number, file: File): Promise<void> {
  const from = part * IMPORT_LIMITS.partBytes;
  const response = await fetch(`/api/imports/${encodeURIComponent(id)}/parts/${part}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: file.slice(from, from + IMPORT_LIMITS.partBytes),
  });
  if (response.ok) return;
  const data: unknown = await response.json().catch(() => undefined);
  throw new ORPCError(errorCode(data, response.status), { status: response.status, data });
}
