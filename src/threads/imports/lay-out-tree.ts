// A tree of messages as a thread stores it: the branch that was shown, in order, and everything else with the message
// that it follows. Every message with content comes out exactly once, in a message of its own or in the answer that it
// is a part of, whatever the tree is like: ids that occur twice, parents that do not exist, circles.
import { MOST_VERSIONS } from '../versions.ts';
import { type Counts, count, type SourceNode, type SourcePiece } from './source-conversation.ts';

export interface LaidOutMessage {
  /** The index of its first node. */
  readonly key: number;
  /** The key of the message that it follows; undefined for the first of a thread. */
  readonly parent: number | undefined;
  readonly role: 'user' | 'assistant';
  readonly pieces: readonly SourcePiece[];
  readonly model: string | undefined;
  readonly at: number | undefined;
}

export interface LaidOutTree {
  readonly shown: readonly LaidOutMessage[];
  readonly versions: readonly LaidOutMessage[];
}

export function layOutTree(nodes: readonly SourceNode[], leaf: string | undefined, notes: Counts): LaidOutTree {
  const { parents, leafIndex } = linkNodes(nodes, leaf);
  const children = childrenOf(nodes, parents);
  const path = findPath({ nodes, parents, children }, leafIndex);
  const kept = dropVersions(children, new Set(path), notes);
  return mergeAnswers({ nodes, parents, children: kept }, new Set(path));
}

interface Links {
  readonly nodes: readonly SourceNode[];
  /** By index of the node; undefined for a root, and for a node without content. */
  readonly parents: readonly (number | undefined)[];
  /** Of the node, in the order of time; of the roots under -1. */
  readonly children: ReadonlyMap<number, readonly number[]>;
}

/** The nearest node with content above each one; where following the parents leads nowhere or in a circle, none. */
function linkNodes(
  nodes: readonly SourceNode[],
  leaf: string | undefined,
): { parents: readonly (number | undefined)[]; leafIndex: number | undefined } {
  const byId = new Map<string, number>();
  for (const [index, { id }] of nodes.entries()) if (!byId.has(id)) byId.set(id, index);
  const given = nodes.map(({ parent }) => (parent === undefined ? undefined : byId.get(parent)));
  breakCircles(given);
  const hasContent = (index: number): boolean => (nodes[index]?.pieces.length ?? 0) > 0;
  // Each is known once its parent is; those that wait for it are on the way.
  const nearest: (number | undefined | null)[] = nodes.map(() => null);
  const find = (start: number | undefined): number | undefined => {
    const way: number[] = [];
    let at = start;
    while (at !== undefined && !hasContent(at) && nearest[at] === null) {
      way.push(at);
      at = given[at];
    }
    const found = at === undefined || hasContent(at) ? at : (nearest[at] ?? undefined);
    for (const passed of way) nearest[passed] = found;
    return found;
  };
  const leafAt = leaf === undefined ? undefined : byId.get(leaf);
  return { parents: given.map((parent) => find(parent)), leafIndex: find(leafAt) };
}

/** A node that comes back to itself begins the thread instead. */
function breakCircles(parents: (number | undefined)[]): void {
  const state = new Uint8Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    const way: number[] = [];
    let at: number | undefined = start;
    while (at !== undefined && state[at] === 0) {
      state[at] = 1;
      way.push(at);
      at = parents[at];
    }
    if (at !== undefined && state[at] === 1) parents[at] = undefined;
    for (const passed of way) state[passed] = 2;
  }
}

function childrenOf(nodes: readonly SourceNode[], parents: readonly (number | undefined)[]): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const [index, { pieces }] of nodes.entries()) {
    if (pieces.length === 0) continue;
    const parent = parents[index] ?? -1;
    const siblings = children.get(parent);
    if (siblings) siblings.push(index);
    else children.set(parent, [index]);
  }
  const at = (index: number): number => nodes[index]?.at ?? 0;
  for (const siblings of children.values()) siblings.sort((a, b) => at(a) - at(b) || a - b);
  return children;
}

/** From the root to the leaf, and on along the latest; without a leaf, along the latest from the beginning. */
function findPath({ parents, children }: Links, leafIndex: number | undefined): number[] {
  const path: number[] = [];
  for (let at = leafIndex; at !== undefined; at = parents[at]) path.push(at);
  path.reverse();
  for (let last = path.at(-1) ?? -1; ;) {
    const next = children.get(last)?.at(-1);
    if (next === undefined) return path;
    path.push(next);
    last = next;
  }
}

/** A message has at most so many versions; the oldest that are not shown go, with what followed them. */
function dropVersions(
  children: ReadonlyMap<number, readonly number[]>,
  shown: ReadonlySet<number>,
  notes: Counts,
): ReadonlyMap<number, readonly number[]> {
  const kept = new Map(children);
  const gone = new Set<number>();
  for (const [parent, siblings] of children) {
    const others = siblings.filter((index) => !shown.has(index));
    const tooMany = siblings.length - MOST_VERSIONS;
    if (tooMany <= 0) continue;
    const below = others.slice(0, tooMany);
    for (let index = below.pop(); index !== undefined; index = below.pop()) {
      if (gone.has(index)) continue;
      gone.add(index);
      for (const child of children.get(index) ?? []) below.push(child);
    }
    kept.set(
      parent,
      siblings.filter((index) => !gone.has(index)),
    );
  }
  if (gone.size > 0) count(notes, 'version', gone.size);
  return kept;
}

/** An answer and the steps before it are one message, unless a step has several continuations. */
function mergeAnswers({ nodes, children }: Links, path: ReadonlySet<number>): LaidOutTree {
  const shown: LaidOutMessage[] = [];
  const versions: LaidOutMessage[] = [];
  const waiting = (children.get(-1) ?? []).map((key) => ({ key, parent: undefined as number | undefined }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { key, parent } = next;
    const pieces: SourcePiece[] = [];
    let last = key;
    let model: string | undefined;
    for (;;) {
      const node = nodes[last];
      pieces.push(...(node?.pieces ?? []));
      model = node?.model ?? model;
      const following = children.get(last) ?? [];
      const [only] = following;
      if (node?.role !== 'assistant' || following.length !== 1 || only === undefined) break;
      if (nodes[only]?.role !== 'assistant') break;
      last = only;
    }
    const message = { key, parent, role: nodes[key]?.role ?? 'user', pieces, model, at: nodes[key]?.at };
    (path.has(key) ? shown : versions).push(message);
    for (const child of children.get(last) ?? []) waiting.push({ key: child, parent: key });
  }
  return { shown, versions };
}
