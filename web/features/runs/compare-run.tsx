import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { type RunView, runsQuery } from './queries.ts';
import { compareStrings as strings, runStrings, statusNames } from './strings.ts';
import { formatDate } from '../../language/format.ts';

const OBJECTIVE = 60;

/** Chooses another run and shows the two side by side. */
export function CompareRun({ run }: { run: RunView }): ReactElement {
  const [asking, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open}>
        {runStrings.compare}
      </Button>
      {asking && <ChooseRun run={run} onClose={close} />}
    </>
  );
}

function ChooseRun({ run, onClose }: { run: RunView; onClose: () => void }): ReactElement {
  const { organization } = useSignedIn();
  const navigate = useNavigate();
  const { data, isPending } = useInfiniteQuery(runsQuery(organization.id, {}));
  const others = (data?.pages[0]?.jobs ?? []).filter(({ id }) => id !== run.id);
  // The latest run of the same kind of task is the likeliest.
  const likeliest = others.find(({ objective }) => objective === run.objective) ?? others[0];
  const [chosen, setChosen] = useState<string>();
  const other = chosen ?? likeliest?.id;
  return (
    <Dialog onClose={onClose} title={strings.choose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (other !== undefined) void navigate({ to: '/runs/compare', search: { left: run.id, right: other } });
        }}
      >
        <Stack>
          {!isPending && others.length === 0 ? (
            <Text size="sm">{strings.none}</Text>
          ) : (
            <NativeSelect
              data-autofocus
              label={strings.other}
              description={strings.otherHint}
              value={other ?? ''}
              data={others.map((each) => ({ value: each.id, label: nameOf(each) }))}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
          )}
          <FormFoot problem={undefined} pending={isPending} submit={strings.submit} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

function nameOf({ objective, status, createdAt }: RunView): string {
  const [line = ''] = objective.trim().split('\n');
  const short = line.length <= OBJECTIVE ? line : `${line.slice(0, OBJECTIVE).trimEnd()}…`;
  return `${short} (${statusNames[status]}, ${formatDate(createdAt, 'moment')})`;
}
