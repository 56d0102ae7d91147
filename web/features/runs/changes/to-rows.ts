// The rows of a diff: in one column a row per line, side by side a row per pair.
import type { FilePatch, Hunk, PatchLine } from '../../../../src/contract/patches/read-patch.ts';

export type Layout = 'unified' | 'split';

export type Row =
  | { readonly kind: 'hunk'; readonly text: string }
  | { readonly kind: 'line'; readonly line: PatchLine }
  | { readonly kind: 'pair'; readonly before?: PatchLine | undefined; readonly after?: PatchLine | undefined };

export function toRows({ hunks }: Pick<FilePatch, 'hunks'>, layout: Layout): Row[] {
  return hunks.flatMap((hunk): Row[] => [
    { kind: 'hunk', text: `@@ -${hunk.before} +${hunk.after} @@ ${hunk.heading}`.trimEnd() },
    ...(layout === 'unified' ? hunk.lines.map((line): Row => ({ kind: 'line', line })) : toPairs(hunk)),
  ]);
}

/** Deleted lines stand beside the added ones that follow them. */
function toPairs({ lines }: Hunk): Row[] {
  const rows: Row[] = [];
  let removed: PatchLine[] = [];
  let added: PatchLine[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      rows.push({ kind: 'pair', before: removed[at], after: added[at] });
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === 'added') added.push(line);
    else if (line.kind === 'same') {
      flush();
      rows.push({ kind: 'pair', before: line, after: line });
    }
  }
  flush();
  return rows;
}
