// AES-256-GCM for secrets at rest. The context names the row that the secret belongs to and is authenticated with it,
// so a ciphertext copied to another row cannot be opened there.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export interface Sealed {
  readonly ciphertext: Buffer;
  readonly iv: Buffer;
  readonly authTag: Buffer;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

export function seal(wrappingKey: Buffer, plaintext: string, context: readonly string[]): Sealed {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', wrappingKey, iv, { authTagLength: TAG_BYTES }).setAAD(
    contextBytes(context),
  );
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return { ciphertext, iv, authTag: cipher.getAuthTag() };
}

/** The plaintext, or undefined if the key, the row or the bytes differ from those it was sealed with. */
export function unseal(wrappingKey: Buffer, sealed: Sealed, context: readonly string[]): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', wrappingKey, sealed.iv, { authTagLength: TAG_BYTES }).setAAD(
      contextBytes(context),
    );
    decipher.setAuthTag(sealed.authTag);
    return Buffer.concat([decipher.update(sealed.ciphertext), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** The only value derived from a secret that may be shown or logged; it is not a prefix of it. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 12);
}

/** Unambiguous: no part can run into the next. */
function contextBytes(context: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(context));
}
