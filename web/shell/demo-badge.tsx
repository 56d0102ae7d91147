import { Badge } from '@mantine/core';
import type { ReactElement } from 'react';
import { shell } from './strings.ts';
import { useSignedIn } from '../session/organization-context.ts';

/** On every page, so that no one mistakes a demo answer for a real one. */
export function DemoBadge(): ReactElement | null {
  const { demo } = useSignedIn();
  if (!demo) return null;
  return (
    <Badge color="yellow" title={shell.demoText} style={{ flex: 'none' }}>
      {shell.demo}
    </Badge>
  );
}
