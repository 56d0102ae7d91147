/** The beginning of an answer, at most this many bytes; the rest is not downloaded. */
export async function readUpTo(
  response: Response,
  limit: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; isCut: boolean }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined && size <= limit) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    size += value.length;
  }
  const isCut = size > limit;
  if (isCut) await reader?.cancel().catch(() => {});
  const bytes = new Uint8Array(Math.min(size, limit));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece.subarray(0, bytes.length - at), at);
    at += Math.min(piece.length, bytes.length - at);
  }
  return { bytes, isCut };
}
