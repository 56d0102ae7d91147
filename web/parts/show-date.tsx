import type { ReactElement } from 'react';

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export function ShowDate({ at }: { at: string }): ReactElement {
  const date = new Date(at);
  return (
    <time dateTime={at} title={moment.format(date)}>
      {day.format(date)}
    </time>
  );
}
