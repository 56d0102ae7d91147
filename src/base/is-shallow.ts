// Depth is checked before parsing: a parser takes a second over megabytes of `[`, and code that walks the value
// afterwards may recurse.

const MAX_DEPTH = 256;

/** Whether the brackets of a JSON text nest at most 256 deep. */
export function isShallow(text: string): boolean {
  if (text.length <= MAX_DEPTH) return true;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > MAX_DEPTH) return false;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
      default:
    }
  }
  return true;
}

/** Brackets inside a string do not nest. */
function endOfString(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
