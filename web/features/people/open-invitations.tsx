import { Button, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { api, client } from '../../api/client.ts';
import { signInOptionsQuery } from '../../api/identity.ts';
import { invitationsQuery } from './queries.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { CopyAction } from '../../kit/copy-field.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { ShowDate } from '../../kit/show-date.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { roleNames } from '../../kit/strings.ts';
import { peopleStrings as strings } from './strings.ts';

type Invitation = Awaited<ReturnType<typeof client.organizations.invitations.list>>['invitations'][number];

export function OpenInvitations({ onInvite }: { onInvite: () => void }): ReactElement {
  const { organization } = useSignedIn();
  const query = useInfiniteQuery(invitationsQuery(organization.id));
  const mail = useQuery(signInOptionsQuery).data?.mail === true;
  const queryClient = useQueryClient();
  const [withdrawing, setWithdrawing] = useState<Invitation>();
  const invitations = query.data?.pages.flatMap((page) => page.invitations) ?? [];
  const invite = (
    <Button variant="default" onClick={onInvite}>
      {strings.inviteTitle}
    </Button>
  );
  return (
    <section aria-labelledby="invitations">
      <Title order={2} id="invitations" mb="sm">
        {strings.invitations}
      </Title>
      <ListState
        query={query}
        isEmpty={invitations.length === 0}
        failed={strings.invitationsFailed}
        empty={{ icon: 'mail', title: strings.noInvitations, text: strings.noInvitationsText, action: invite }}
      >
        <Rows label={strings.invitations}>
          {invitations.map((invitation) => (
            <Row
              key={invitation.id}
              title={<span id={`invitation-${invitation.id}`}>{invitation.email}</span>}
              text={
                <>
                  {roleNames[invitation.role]} · {strings.expires} <ShowDate at={invitation.expiresAt} />
                </>
              }
              aside={
                <>
                  {mail && <SendAgain invitation={invitation} />}
                  <CopyAction value={invitation.url} label={strings.copyLink} />
                  <Button
                    variant="default"
                    aria-describedby={`invitation-${invitation.id}`}
                    onClick={() => setWithdrawing(invitation)}
                  >
                    {strings.withdraw}
                  </Button>
                </>
              }
            />
          ))}
        </Rows>
        <MoreRows query={query} />
      </ListState>
      {withdrawing !== undefined && (
        <ConfirmDialog
          title={strings.withdrawTitle(withdrawing.email)}
          text={strings.withdrawText}
          confirm={strings.withdraw}
          act={() => client.organizations.invitations.revoke({ org: organization.id, invitation: withdrawing.id })}
          onClose={() => setWithdrawing(undefined)}
          onDone={() => {
            setWithdrawing(undefined);
            toastDone(strings.withdrawn);
            void queryClient.invalidateQueries({ queryKey: api.organizations.invitations.key() });
          }}
        />
      )}
    </section>
  );
}

function SendAgain({ invitation: { id, email } }: { invitation: Invitation }): ReactElement {
  const { organization } = useSignedIn();
  const send = useMutation({
    mutationFn: () => client.organizations.invitations.send({ org: organization.id, invitation: id }),
    onSuccess: () => toastDone(strings.sentAgain(email)),
    onError: toastFault,
  });
  return (
    <Button
      variant="default"
      aria-describedby={`invitation-${id}`}
      loading={send.isPending}
      onClick={() => send.mutate()}
    >
      {strings.send}
    </Button>
  );
}
