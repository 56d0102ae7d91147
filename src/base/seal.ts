// AES-256-GCM for secrets at rest. The context names the row that the secret belongs to and is authenticated with it,
// so a ciphertext copied to another row cannot be opened there.
import { createCipheriv, createDecipheriv, createHash, type DecipherGCM, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface Sealed {
  readonly ciphertext: Buffer;
  readonly iv: Buffer;
  readonly authTag: Buffer;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Takes about a millisecond. */
const SLICE_BYTES = 1024 * 1024;

export function seal(wrappingKey: Buffer, plaintext: string, context: readonly string[]): Sealed {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', wrappingKey, iv, { authTagLength: TAG_BYTES }).setAAD(
    contextBytes(context),
  );
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return { ciphertext, iv, authTag: cipher.getAuthTag() };
}

/** Seals what may be megabytes, in slices between which the event loop turns. */
export async function sealLarge(
  wrappingKey: Buffer,
  plaintext: readonly Uint8Array[],
  context: readonly string[],
): Promise<Sealed> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', wrappingKey, iv, { authTagLength: TAG_BYTES }).setAAD(
    contextBytes(context),
  );
  const slices: Buffer[] = [];
  for (const part of plaintext) slices.push(...(await inSlices(part, (slice) => cipher.update(slice))));
  const ciphertext = Buffer.concat([...slices, cipher.final()]);
  return { ciphertext, iv, authTag: cipher.getAuthTag() };
}

/** The plaintext, or undefined if the key, the row or the bytes differ from those it was sealed with. */
export function unseal(wrappingKey: Buffer, sealed: Sealed, context: readonly string[]): string | undefined {
  try {
    const decipher = openCipher(wrappingKey, sealed, context);
    return Buffer.concat([decipher.update(sealed.ciphertext), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** The same for what may be megabytes, as bytes. */
export async function unsealLarge(
  wrappingKey: Buffer,
  sealed: Sealed,
  context: readonly string[],
): Promise<Buffer | undefined> {
  try {
    const decipher = openCipher(wrappingKey, sealed, context);
    const slices = await inSlices(sealed.ciphertext, (slice) => decipher.update(slice));
    return Buffer.concat([...slices, decipher.final()]);
  } catch {
    return undefined;
  }
}

function openCipher(wrappingKey: Buffer, { iv, authTag }: Sealed, context: readonly string[]): DecipherGCM {
  return createDecipheriv('aes-256-gcm', wrappingKey, iv, { authTagLength: TAG_BYTES })
    .setAAD(contextBytes(context))
    .setAuthTag(authTag);
}

async function inSlices(bytes: Uint8Array, update: (slice: Uint8Array) => Buffer): Promise<Buffer[]> {
  const slices: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    if (at > 0) await nextTurn();
    slices.push(update(bytes.subarray(at, at + SLICE_BYTES)));
  }
  return slices;
}

/** The only value derived from a secret that may be shown or logged; it is not a prefix of it. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 12);
}

/** Unambiguous: no part can run into the next. */
function contextBytes(context: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(context));
}
