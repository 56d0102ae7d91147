import { Badge } from '@mantine/core';
import type { ReactElement } from 'react';
import type { StandingView } from './standing-view.ts';
import { standingStrings as strings } from './strings.ts';

interface StandingBadgeProps {
  standing: Pick<StandingView, 'enabled' | 'paused'>;
  /** What it lacks to start anything, though it is on. */
  lacks?: string | undefined;
}

export function StandingBadge({ standing: { enabled, paused }, lacks }: StandingBadgeProps): ReactElement {
  const [text, color] =
    paused !== undefined
      ? [strings.paused, 'red']
      : !enabled
        ? [strings.off, 'gray']
        : lacks === undefined
          ? [strings.on, 'pine']
          : [lacks, 'yellow'];
  return (
    <Badge variant="light" color={color}>
      {text}
    </Badge>
  );
}
