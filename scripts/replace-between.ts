/** The text with the part between two marker comments replaced. */
export function replaceBetween(text: string, marker: string, content: string): string {
  const [open, close] = [`<!-- ${marker} -->`, `<!-- /${marker} -->`];
  const [from, to] = [text.indexOf(open), text.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`the markers ${open} and ${close} are missing`);
  return `${text.slice(0, from + open.length)}\n${content}${text.slice(to)}`;
}
