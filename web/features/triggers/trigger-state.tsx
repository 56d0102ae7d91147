import { Badge } from '@mantine/core';
import type { ReactElement } from 'react';
import type { TriggerView } from './queries.ts';
import { triggerStrings as strings } from './strings.ts';

export function StateBadge({ trigger }: { trigger: TriggerView }): ReactElement {
  const [text, color] =
    trigger.paused !== undefined
      ? [strings.paused, 'red']
      : !trigger.enabled
        ? [strings.off, 'gray']
        : trigger.hasSecret
          ? [strings.on, 'pine']
          : [strings.needsSecret, 'yellow'];
  return (
    <Badge variant="light" color={color}>
      {text}
    </Badge>
  );
}
