import { type RefObject, useEffect, useRef } from 'react';

interface Pages {
  readonly hasPreviousPage: boolean;
  readonly isFetchingPreviousPage: boolean;
  fetchPreviousPage(options: { cancelRefetch: boolean }): unknown;
}

interface Later {
  readonly has: boolean;
  readonly loading: boolean;
  load(): void;
}

/** Within this distance of the end, the next messages are fetched. */
const NEAR_PX = 480;

/** Reads on from a message that was found, towards the latest. */
export function useLater(pages: Pages, scroller: RefObject<HTMLDivElement | null>): Later {
  const { hasPreviousPage: has, isFetchingPreviousPage: loading } = pages;
  const load = useRef(() => {});
  useEffect(() => {
    load.current = () => {
      // Scrolling and the button may ask for the same page before it is known to be loading.
      if (has && !loading) pages.fetchPreviousPage({ cancelRefetch: false });
    };
  });
  useEffect(() => {
    const box = scroller.current;
    let lastTop = box?.scrollTop ?? 0;
    const onScroll = (): void => {
      if (!box) return;
      const left = box.scrollHeight - box.scrollTop - box.clientHeight;
      if (box.scrollTop > lastTop && left < NEAR_PX) load.current();
      lastTop = box.scrollTop;
    };
    box?.addEventListener('scroll', onScroll, { passive: true });
    return () => box?.removeEventListener('scroll', onScroll);
  }, [scroller]);
  return { has, loading, load: () => load.current() };
}
