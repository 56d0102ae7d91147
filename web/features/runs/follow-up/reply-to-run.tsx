import { Button } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { onDemand } from '../../../kit/on-demand.tsx';
import type { RunView } from '../queries.ts';
import { followUpStrings as strings } from './strings.ts';

const MessageField = onDemand(async () => (await import('./message-field.tsx')).MessageField);

/** Under a run's card in a chat: a button that opens the field. */
export function ReplyToRun({ run }: { run: RunView }): ReactElement {
  const [opened, setOpened] = useState(false);
  return opened ? (
    <MessageField run={run} focus onSent={(started) => started && setOpened(false)} />
  ) : (
    <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setOpened(true)}>
      {strings.reply}
    </Button>
  );
}
