// Credentials that a broker adds must not reach the sandbox: if an upstream repeats its caller's credential in a header
// or body, it is masked on the way. Masked bytes keep their number, so lengths stay right, and only what could be the
// beginning of a credential is held back, so streams keep streaming.
import { Transform } from 'node:stream';

/** Headers of these names contain secrets; other headers are only settings. */
const HOLDS_SECRET = /auth|cookie|token|secret|key|password|credential/i;
/** Masking shorter ones would hit ordinary words. */
const MIN_LENGTH = 8;
const FILLER = '*';

/** Every form in which the credentials in these headers could come back, longest first. */
export function secretsOf(headers: Readonly<Record<string, string>>): Buffer[] {
  return formsOfSecrets(
    Object.entries(headers).flatMap(([name, value]) => (HOLDS_SECRET.test(name) ? partsOf(value) : [])),
  );
}

/** Every form in which these secrets could show, longest first. */
export function formsOfSecrets(secrets: readonly string[]): Buffer[] {
  return [...new Set(secrets.flatMap(formsOf))]
    .filter((form) => form.length >= MIN_LENGTH)
    .sort((a, b) => b.length - a.length)
    .map((form) => Buffer.from(form, 'latin1'));
}

/** The whole value, the credential after its scheme, and the content of basic authentication. */
function partsOf(value: string): string[] {
  const [, scheme, credential] = /^(\S+)\s+(\S.*)$/.exec(value.trim()) ?? [];
  if (scheme === undefined || credential === undefined) return [value.trim()];
  if (scheme.toLowerCase() !== 'basic') return [value.trim(), credential];
  const pair = Buffer.from(credential, 'base64').toString('latin1');
  return [value.trim(), credential, pair, pair.slice(pair.indexOf(':') + 1)];
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'latin1');
  // Inside a longer text, base64 encodes a part in one of three ways; its edges depend on the neighbouring bytes.
  const wrapped = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '')
      .slice(shift === 0 ? 0 : shift + 1, (bytes.length + shift) % 3 === 0 ? undefined : -1),
  );
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('/', '\\/'),
    encodeURIComponent(secret),
    encodeURIComponent(secret).toLowerCase(),
    bytes.toString('hex'),
    ...wrapped,
    ...wrapped.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
}

export function scrubText(secrets: readonly Buffer[], text: string): string {
  return secrets.reduce(
    (clean, secret) => clean.replaceAll(secret.toString('latin1'), FILLER.repeat(secret.length)),
    text,
  );
}

export interface Masker {
  /** What can be passed on by now. */
  add(chunk: Buffer): Buffer;
  end(): Buffer;
}

/** Masks secrets in a stream, wherever its chunks are cut. */
export function createScrubber(secrets: readonly Buffer[]): Transform {
  const masker = createMasker(secrets);
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, masker.add(chunk)),
    flush: (done) => done(null, masker.end()),
  });
}

/** The same, chunk by chunk. */
export function createMasker(secrets: readonly Buffer[]): Masker {
  let held: Buffer = Buffer.alloc(0);
  // Matches stay marked while they are held back: two forms may overlap.
  let marks: Buffer = Buffer.alloc(0);
  const release = (end: number): Buffer => {
    const out = Buffer.from(held.subarray(0, end));
    for (let index = 0; index < end; index++) if (marks[index] === 1) out[index] = FILLER.charCodeAt(0);
    held = held.subarray(end);
    marks = marks.subarray(end);
    return out;
  };
  return {
    add(chunk) {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      marks = Buffer.concat([marks, Buffer.alloc(chunk.length)]);
      for (const secret of secrets)
        for (let at = held.indexOf(secret); at >= 0; at = held.indexOf(secret, at + 1))
          marks.fill(1, at, at + secret.length);
      return release(safeLength(secrets, held));
    },
    end: () => release(held.length),
  };
}

/** How much of the text can be passed on: all but an end that is the beginning of a secret. */
function safeLength(secrets: readonly Buffer[], text: Buffer): number {
  let safe = text.length;
  for (const secret of secrets) {
    const first = secret[0] ?? 0;
    for (
      let at = text.indexOf(first, Math.max(0, text.length - secret.length + 1));
      at >= 0 && at < safe;
      at = text.indexOf(first, at + 1)
    ) {
      if (secret.subarray(0, text.length - at).equals(text.subarray(at))) safe = at;
    }
  }
  return safe;
}
