/** A segment of text and the kinds of its matches; overlapping matches are cut at their boundaries. */
export interface Stretch {
  readonly text: string;
  readonly start: number;
  readonly kinds: readonly string[];
}

interface Match {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

export function splitMatches(text: string, matches: readonly Match[]): Stretch[] {
  const edges = new Map<number, { opens: string[]; closes: string[] }>();
  const at = (offset: number): { opens: string[]; closes: string[] } => {
    const edge = edges.get(offset) ?? { opens: [], closes: [] };
    edges.set(offset, edge);
    return edge;
  };
  for (const { kind, start, end } of matches) {
    if (start >= end) continue;
    at(start).opens.push(kind);
    at(end).closes.push(kind);
  }
  const stretches: Stretch[] = [];
  const open = new Map<string, number>();
  let from = 0;
  for (const offset of [...edges.keys(), text.length].sort((a, b) => a - b)) {
    if (offset > from) stretches.push({ text: text.slice(from, offset), start: from, kinds: [...open.keys()] });
    from = Math.max(from, offset);
    for (const kind of edges.get(offset)?.closes ?? []) {
      const left = (open.get(kind) ?? 1) - 1;
      if (left === 0) open.delete(kind);
      else open.set(kind, left);
    }
    for (const kind of edges.get(offset)?.opens ?? []) open.set(kind, (open.get(kind) ?? 0) + 1);
    edges.delete(offset);
  }
  return stretches;
}
