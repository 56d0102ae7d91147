// Our own instead of the package `use-stick-to-bottom`: that one follows with a spring animation and takes every upward
// scroll outside a resize for the reader's. Here only a gesture leaves the end, so that code, formulas and diagrams that
// change their height while they load never do, and another chat starts at its end at once.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Within this distance of the end, the list counts as scrolled to the end. */
const NEAR_PX = 48;
/** How long after a gesture scrolling counts as the reader's. */
const GESTURE_MS = 400;
const GESTURES = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

interface Sticky {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** Whether the latest message is out of view. */
  readonly away: boolean;
  toBottom(): void;
  /** Shows an element and no longer follows the latest message. */
  toElement(element: Element): void;
}

/**
 * Follows the latest message while it grows, unless the reader has scrolled away. A change of `place` starts at the end
 * again; without a place it does nothing. Unless `isLatest`, the end of the list is not the end of the conversation.
 */
export function useStickToBottom(place: string | undefined, isLatest: boolean): Sticky {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sticks = useRef(false);
  const placed = useRef(false);
  const endsHere = useRef(isLatest);
  useLayoutEffect(() => {
    endsHere.current = isLatest;
  }, [isLatest]);
  const [away, setAway] = useState(false);

  const toBottom = useCallback(() => {
    sticks.current = true;
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: 'instant' });
  }, []);

  const toElement = useCallback((element: Element) => {
    sticks.current = false;
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
  }, []);

  useLayoutEffect(() => {
    sticks.current = place !== undefined;
    placed.current = place !== undefined;
    scroller.current?.scrollTo({ top: place === undefined ? 0 : scroller.current.scrollHeight, behavior: 'instant' });
  }, [place]);

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (box === null || inner === null) return undefined;
    let lastTop = box.scrollTop;
    let gestureAt = Number.NEGATIVE_INFINITY;
    const onGesture = (event: Event): void => {
      gestureAt = performance.now();
      // At once: text that arrives before the scrolling would take the reader back to the end.
      if (event instanceof WheelEvent && event.deltaY < 0) sticks.current = false;
    };
    const isAtEnd = (): boolean => endsHere.current && box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX;
    const onScroll = (): void => {
      const atEnd = isAtEnd();
      // Content changes scroll too; only the reader's own scrolling leaves the end or returns to it.
      const byHand = performance.now() - gestureAt < GESTURE_MS;
      if (byHand && box.scrollTop < lastTop) sticks.current = false;
      else if (byHand && atEnd && box.scrollTop > lastTop) sticks.current = true;
      lastTop = box.scrollTop;
      setAway(!atEnd && !sticks.current);
    };
    const grown = new ResizeObserver(() => {
      if (sticks.current) box.scrollTop = box.scrollHeight;
      // Text that comes, or a larger window, changes that without any scrolling.
      else setAway(placed.current && !isAtEnd());
    });
    grown.observe(inner);
    grown.observe(box);
    for (const gesture of GESTURES) box.addEventListener(gesture, onGesture, { passive: true });
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      grown.disconnect();
      for (const gesture of GESTURES) box.removeEventListener(gesture, onGesture);
      box.removeEventListener('scroll', onScroll);
    };
  }, []);
  return { scroller, content, away, toBottom, toElement };
}
