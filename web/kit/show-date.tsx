import type { ReactElement } from 'react';
import { formatDate } from '../language/format.ts';

/** To the minute; the tooltip has seconds and time zone. */
export function ShowDate({ at }: { at: string }): ReactElement {
  return (
    <time dateTime={at} title={formatDate(at, 'exact')}>
      {formatDate(at, 'moment')}
    </time>
  );
}
