import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactElement } from 'react';
import type { RunView } from './queries.ts';
import { useCurrentWorkspace } from '../../session/organization-context.ts';
import { runStrings as strings } from './strings.ts';
import { StartRunDialog } from './start-run-dialog.tsx';
import { useOpenStarted } from './use-open-started.ts';

export function RunAgain({ run }: { run: RunView }): ReactElement {
  const { workspaces, current } = useCurrentWorkspace();
  const [asking, { open, close }] = useDisclosure(false);
  const openStarted = useOpenStarted();
  return (
    <>
      <Button variant="default" onClick={open}>
        {strings.again}
      </Button>
      {asking && (
        <StartRunDialog
          workspaces={workspaces}
          current={workspaces.find(({ id }) => id === run.workspace) ?? current}
          like={run}
          onStarted={openStarted}
          onClose={close}
        />
      )}
    </>
  );
}
