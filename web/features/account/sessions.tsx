import { Badge, Button, Checkbox, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useId, useState } from 'react';
import type { AccountSession } from '../../../src/contract/account/account.ts';
import { byCursor, pageAt } from '../../api/by-cursor.ts';
import { api, client } from '../../api/client.ts';
import { endOtherSessions, endSessions } from '../../api/identity.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { forgetDrafts } from '../chat/composer/drafts.ts';
import { Section } from './section.tsx';
import { accountStrings } from './strings.ts';

const { sessions: strings } = accountStrings;

export function Sessions(): ReactElement {
  const query = useInfiniteQuery({
    queryKey: api.account.sessions.list.key(),
    queryFn: ({ pageParam, signal }) => client.account.sessions.list(pageAt(pageParam), { signal }),
    ...byCursor,
  });
  const sessions = query.data?.pages.flatMap((page) => page.sessions) ?? [];
  return (
    <Section title={strings.title} text={strings.text}>
      <ListState
        query={query}
        isEmpty={sessions.length === 0}
        failed={strings.failed}
        empty={{ icon: 'people', title: strings.title, text: strings.text }}
      >
        <Rows label={strings.title}>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </Rows>
        <MoreRows query={query} />
      </ListState>
      <EndSessions />
    </Section>
  );
}

function SessionRow({ session }: { session: AccountSession }): ReactElement {
  const { id, program, system, address, method, secondFactor, startedAt, seenAt, current } = session;
  const queryClient = useQueryClient();
  const label = useId();
  const device = strings.device(program ?? strings.unknownProgram, system);
  const end = useMutation({
    mutationFn: () => client.account.sessions.end({ session: id }),
    onError: toastFault,
    onSuccess: async () => {
      toastDone(strings.ended);
      await queryClient.invalidateQueries({ queryKey: api.account.sessions.key() });
    },
  });
  return (
    <Row
      title={
        <Group gap="xs">
          <span id={label}>{device}</span>
          {current && <Badge color="pine">{strings.current}</Badge>}
        </Group>
      }
      text={
        <>
          {strings.methods[method]}
          {secondFactor && method === 'password' && ` ${strings.withFactor}`}
          {address !== undefined && ` · ${address}`}
          <br />
          {strings.seen} <ShowDate at={seenAt} /> · {strings.started} <ShowDate at={startedAt} />
        </>
      }
      aside={
        current ? undefined : (
          <Button
            size="xs"
            variant="default"
            aria-describedby={label}
            loading={end.isPending}
            onClick={() => end.mutate()}
          >
            {strings.end}
          </Button>
        )
      }
    />
  );
}

function EndSessions(): ReactElement {
  const [open, { open: show, close }] = useDisclosure(false);
  const [endTokens, setEndTokens] = useState(true);
  const queryClient = useQueryClient();
  const others = useMutation({
    mutationFn: () => endOtherSessions({ keepTokens: !endTokens }),
    onError: toastFault,
    onSuccess: async () => {
      toastDone(strings.othersEnded);
      await queryClient.invalidateQueries({ queryKey: api.account.sessions.key() });
    },
  });
  return (
    <Stack>
      <Checkbox
        label={accountStrings.tokens}
        description={accountStrings.tokensText}
        checked={endTokens}
        onChange={(event) => setEndTokens(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button variant="default" loading={others.isPending} onClick={() => others.mutate()}>
          {strings.endOthers}
        </Button>
        <Button color="red" onClick={show}>
          {strings.submit}
        </Button>
      </Group>
      {open && (
        <ConfirmDialog
          title={strings.submit}
          text={strings.allText}
          confirm={strings.submit}
          act={() => endSessions({ keepTokens: !endTokens })}
          onDone={() => {
            forgetDrafts();
            // Reloads the page, as signing out does.
            window.location.assign('/sign-in');
          }}
          onClose={close}
        />
      )}
    </Stack>
  );
}
