// The colours of a code block. A block that is whole is coloured once; one that grows now and then, with what has come
// since left plain. What was coloured is kept, because a streamed message is drawn again when it is stored.
import { useEffect, useRef, useState } from 'react';
import type { Coloured } from './highlighter.ts';
import { createLoader } from '../use-loaded.ts';

export interface Highlighted {
  readonly language: string;
  /** The part of the text that is coloured. */
  readonly text: string;
  readonly nodes: readonly Coloured[];
}

const useHighlighter = createLoader(() => import('./highlighter.ts'));

/** Longer blocks stay plain. */
const LONGEST = 50_000;
/** Longer blocks are coloured only when they are whole. */
const LONGEST_GROWING = 10_000;
const GROWING_MS = 300;
const MOST_KEPT = 200;
const kept = new Map<string, Highlighted>();

export function useHighlighted(text: string, language: string, open: boolean): Highlighted | undefined {
  const isWanted = language !== '' && text !== '' && text.length <= (open ? LONGEST_GROWING : LONGEST);
  const highlighter = useHighlighter(isWanted);
  const key = `${language}\n${text}`;
  const [last, setLast] = useState(() => kept.get(key));
  const lastAt = useRef(Number.NEGATIVE_INFINITY);
  const isDone = last?.text === text && last.language === language;
  useEffect(() => {
    if (!isWanted || isDone || typeof highlighter !== 'object') return undefined;
    let isGone = false;
    const colour = async (): Promise<void> => {
      lastAt.current = performance.now();
      const nodes = kept.get(key)?.nodes ?? (await highlighter.highlight(text, language));
      if (nodes === undefined) return;
      const found = { language, text, nodes };
      if (!open) keep(key, found);
      if (!isGone) setLast(found);
    };
    const wait = open ? Math.max(0, lastAt.current + GROWING_MS - performance.now()) : 0;
    const timer = setTimeout(() => void colour(), wait);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [highlighter, isWanted, isDone, key, text, language, open]);
  return last?.language === language && text.startsWith(last.text) ? last : undefined;
}

function keep(key: string, found: Highlighted): void {
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(key, found);
}
