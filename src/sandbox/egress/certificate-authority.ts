// The authority of one sandbox's egress proxy: it signs certificates for the hosts that the proxy answers for, so that a
// command can ask for them by https and the proxy still sees what is asked. It lives as long as the sandbox, only in this
// process, and only that sandbox is told to trust it. Certificates are written by hand, in DER: a few fields, one algorithm.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';

export interface CertificateAuthority {
  readonly certificate: string;
  /** For a server of that name. */
  contextFor(host: string): SecureContext;
}

const VALID_MS = 3 * 24 * 3_600_000;
/** For clocks that differ. */
const EARLIER_MS = 24 * 3_600_000;

const OID = {
  commonName: [0x55, 0x04, 0x03],
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
  subjectAltName: [0x55, 0x1d, 0x11],
  basicConstraints: [0x55, 0x1d, 0x13],
  keyUsage: [0x55, 0x1d, 0x0f],
  extendedKeyUsage: [0x55, 0x1d, 0x25],
  serverAuth: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01],
} as const;

export function createCertificateAuthority(): CertificateAuthority {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = nameOf(`Sandbox ${randomBytes(4).toString('hex')}`);
  const issue = (subject: Buffer, publicKey: KeyObject, extensions: readonly Buffer[]): string =>
    writeCertificate({ issuer, subject, publicKey, extensions, signWith: authority.privateKey });
  const certificate = issue(issuer, authority.publicKey, [
    extension(OID.basicConstraints, sequence(element(0x01, Buffer.of(0xff))), true),
    // Signs certificates, and nothing else.
    extension(OID.keyUsage, element(0x03, Buffer.of(0x02, 0x04)), true),
  ]);
  const key = server.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const made = new Map<string, SecureContext>();
  return {
    certificate,
    contextFor(host) {
      const known = made.get(host);
      if (known) return known;
      const cert = issue(nameOf('Sandbox'), server.publicKey, [
        extension(OID.subjectAltName, sequence(alternativeName(host)), true),
        extension(OID.keyUsage, element(0x03, Buffer.of(0x07, 0x80)), true),
        extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth))),
      ]);
      const context = createSecureContext({ key, cert: cert + certificate });
      made.set(host, context);
      return context;
    },
  };
}

interface Certificate {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly signWith: KeyObject;
}

function writeCertificate({ issuer, subject, publicKey, extensions, signWith }: Certificate): string {
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const now = Date.now();
  const signed = sequence(
    // Version 3.
    element(0xa0, element(0x02, Buffer.of(2))),
    serialNumber(),
    algorithm,
    issuer,
    sequence(timeOf(now - EARLIER_MS), timeOf(now + VALID_MS)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', signed, signWith);
  const der = sequence(signed, algorithm, element(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** Positive, and never shortened: the first byte is neither zero nor negative. */
function serialNumber(): Buffer {
  return element(0x02, Buffer.concat([Buffer.of(0x40), randomBytes(15)]));
}

function nameOf(commonName: string): Buffer {
  return sequence(element(0x31, sequence(oid(OID.commonName), element(0x0c, Buffer.from(commonName)))));
}

/** A numeric address is one only in deployments that let runs reach private hosts. */
function alternativeName(host: string): Buffer {
  return isIPv4(host)
    ? element(0x87, Buffer.from(host.split('.').map(Number)))
    : element(0x82, Buffer.from(host, 'latin1'));
}

/** UTCTime, whose two digits of a year end in 2049. */
function timeOf(ms: number): Buffer {
  const text = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return element(0x17, Buffer.from(text.slice(2)));
}

function extension(id: readonly number[], value: Buffer, critical = false): Buffer {
  return sequence(oid(id), ...(critical ? [element(0x01, Buffer.of(0xff))] : []), element(0x04, value));
}

function oid(bytes: readonly number[]): Buffer {
  return element(0x06, Buffer.from(bytes));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return element(0x30, Buffer.concat(parts));
}

function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, Math.floor(length / 0x100), length % 0x100];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
