import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

interface Earlier {
  readonly has: boolean;
  readonly loading: boolean;
  load(): void;
}

/** Within this distance of the top, the previous page is fetched. */
const NEAR_PX = 240;

/** Keeps the scroll position when messages are added above. `first` is the earliest loaded message. */
export function useEarlier(
  pages: Pages,
  first: string | undefined,
  scroller: RefObject<HTMLDivElement | null>,
): Earlier {
  const { hasNextPage: has, isFetchingNextPage: loading } = pages;
  const anchor = useRef<{ first: string | undefined; element: Element; top: number }>(undefined);
  const load = useRef(() => {});
  useEffect(() => {
    load.current = () => {
      if (!has || loading) return;
      const element = scroller.current?.querySelector('[data-message]');
      if (element) anchor.current = { first, element, top: element.getBoundingClientRect().top };
      pages.fetchNextPage();
    };
  });

  useLayoutEffect(() => {
    const kept = anchor.current;
    const box = scroller.current;
    if (kept === undefined || kept.first === first) return;
    anchor.current = undefined;
    if (kept.element.isConnected)
      box?.scrollBy({ top: kept.element.getBoundingClientRect().top - kept.top, behavior: 'instant' });
  }, [first, scroller]);

  useEffect(() => {
    const box = scroller.current;
    let lastTop = box?.scrollTop ?? 0;
    const onScroll = (): void => {
      if (!box) return;
      // Scrolling while the page loads is respected.
      if (anchor.current) anchor.current.top = anchor.current.element.getBoundingClientRect().top;
      if (box.scrollTop < lastTop && box.scrollTop < NEAR_PX) load.current();
      lastTop = box.scrollTop;
    };
    box?.addEventListener('scroll', onScroll, { passive: true });
    return () => box?.removeEventListener('scroll', onScroll);
  }, [scroller]);
  return { has, loading, load: () => load.current() };
}
