// An authenticator in software, as WebAuthn describes one: ES256, no attestation, and a counter. What it signs can be
// bent, to see that it is refused.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { PUBLIC_URL } from './web-app.ts';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** Of CBOR, what an attestation needs: integers, texts, bytes and maps. */
type Cbor = number | string | Buffer | Map<number | string, Cbor>;

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap((pair) => pair.map(encode))]);
}

const PRESENT = 1;
const VERIFIED = 4;
const HAS_KEY = 64;

export interface Bend {
  readonly origin?: string;
  readonly site?: string;
  /** It asked for no finger, face or PIN. */
  readonly unverified?: true;
  readonly counter?: number;
  readonly challenge?: string;
  readonly userHandle?: string;
}

export class SoftwarePasskey {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(32);
  #counter = 0;
  #owner = '';

  /** For the options of a new passkey. */
  make({ challenge, user }: { challenge: string; user: { id: string } }, bend: Bend = {}): object {
    this.#owner = user.id;
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const authData = Buffer.concat([
      this.#data(bend, HAS_KEY),
      Buffer.alloc(16),
      Buffer.from([0, this.#id.length]),
      this.#id,
      encode(key),
    ]);
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.#credential({
      clientDataJSON: text(clientData('webauthn.create', challenge, bend)),
      attestationObject: text(encode(attestation)),
    });
  }

  /** For the options of a question. */
  use({ challenge }: { challenge: string }, bend: Bend = {}): object {
    this.#counter += 1;
    const client = clientData('webauthn.get', challenge, bend);
    const authenticatorData = this.#data(bend, 0);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), this.#keys.privateKey);
    return this.#credential({
      clientDataJSON: text(client),
      authenticatorData: text(authenticatorData),
      signature: text(signature),
      userHandle: bend.userHandle ?? this.#owner,
    });
  }

  #data({ site = new URL(PUBLIC_URL).hostname, unverified, counter = this.#counter }: Bend, flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(site), Buffer.from([flags | PRESENT | (unverified ? 0 : VERIFIED)]), count]);
  }

  #credential(response: object): object {
    const id = text(this.#id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

function clientData(type: string, asked: string, { origin = PUBLIC_URL, challenge = asked }: Bend): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}
