// A long list of which only what is near the screen is on the page: the rows are mounted by groups as they come near, and
// stay. Before that, the place of a group is as high as its rows are likely to be.
import { Fragment, type ReactElement, startTransition, useEffect, useRef, useState } from 'react';

const GROUP = 10;
const LIKELY_ROW_REM = 4;
const NEAR = '1200px';

interface NearRowsProps<T> {
  rows: readonly T[];
  keyOf: (row: T) => string | number;
  children: (row: T) => ReactElement;
}

/** In a list (`ol`). What comes last is always there: it grows. */
export function NearRows<T>({ rows, keyOf, children }: NearRowsProps<T>): ReactElement {
  const groups = Array.from({ length: Math.ceil(rows.length / GROUP) }, (_, at) =>
    rows.slice(at * GROUP, (at + 1) * GROUP),
  );
  return (
    <>
      {groups.map((group, at) => {
        const [first] = group;
        return (
          <NearGroup key={first && keyOf(first)} count={group.length} isThere={at === 0 || at >= groups.length - 2}>
            {() => group.map((row) => <Fragment key={keyOf(row)}>{children(row)}</Fragment>)}
          </NearGroup>
        );
      })}
    </>
  );
}

interface NearGroupProps {
  count: number;
  isThere: boolean;
  children: () => readonly ReactElement[];
}

function NearGroup({ count, isThere, children }: NearGroupProps): ReactElement {
  const [isNear, setNear] = useState(isThere);
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isNear || place.current === null) return undefined;
    // Also for a page that scrolls inside its window, where the browser can.
    const margins: IntersectionObserverInit & { scrollMargin: string } = { rootMargin: NEAR, scrollMargin: NEAR };
    const seen = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) startTransition(() => setNear(true));
    }, margins);
    seen.observe(place.current);
    return () => seen.disconnect();
  }, [isNear]);
  if (isNear) return <>{children()}</>;
  return <li ref={place} aria-hidden="true" style={{ height: `${count * LIKELY_ROW_REM}rem` }} />;
}
