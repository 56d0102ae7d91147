/** As an authenticator app reads its key (RFC 4648). */
export function decodeBase32(encoded: string): Buffer {
  const bits = [...encoded].map((each) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
