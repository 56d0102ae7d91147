import { Stack, Title } from '@mantine/core';
import { type ReactElement, useId } from 'react';
import type { RunView } from '../queries.ts';
import { useOpenStarted } from '../use-open-started.ts';
import { MessageField } from './message-field.tsx';
import { LaterRuns } from './other-runs.tsx';
import { followUpStrings as strings } from './strings.ts';
import { WaitingMessages } from './waiting-messages.tsx';

/** The foot of a run's page: what waits to be read, the runs that went on from here, and the field for a message. */
export function FollowUp({ run }: { run: RunView }): ReactElement {
  const heading = useId();
  const openStarted = useOpenStarted();
  return (
    <>
      <WaitingMessages run={run} />
      <LaterRuns run={run} />
      <section aria-labelledby={heading}>
        <Stack gap="xs">
          <Title order={2} fz="md" id={heading}>
            {strings.title}
          </Title>
          <MessageField run={run} onSent={(started) => started && openStarted(started)} />
        </Stack>
      </section>
    </>
  );
}
