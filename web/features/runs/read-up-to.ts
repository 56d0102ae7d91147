/** The beginning of an answer, at most this many bytes; the rest is not downloaded. */
export async function readUpTo(
  response: Response,
  limit: number,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; isCut: boolean }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    pieces.push(next.value);
    size += next.value.length;
    if (size <= limit) continue;
    await reader?.cancel();
    break;
  }
  const isCut = size > limit;
  const bytes = new Uint8Array(Math.min(size, limit));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece.subarray(0, bytes.length - at), at);
    at += Math.min(piece.length, bytes.length - at);
  }
  return { bytes, isCut };
}
