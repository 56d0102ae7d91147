import type { ReactElement } from 'react';

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

/** To the minute; the tooltip has seconds and time zone. */
export function ShowDate({ at }: { at: string }): ReactElement {
  const date = new Date(at);
  return (
    <time dateTime={at} title={exact.format(date)}>
      {moment.format(date)}
    </time>
  );
}
