import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { api, client } from '../../api/client.ts';
import { readFault } from '../../api/fault.ts';
import { signOut } from '../../api/identity.ts';
import { meQuery } from '../../session/me-query.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { SinglePromptLayout } from '../../kit/single-prompt-layout.tsx';
import { invitationStrings as strings } from './strings.ts';
import { common, roleNames } from '../../kit/strings.ts';

const route = getRouteApi('/signed/invitations/$invitation');
const GONE = new Set([404, 410]);

export function InvitationPage(): ReactElement {
  const { invitation: id } = route.useParams();
  const query = useQuery(api.invitations.show.queryOptions({ input: { invitation: id } }));
  if (query.data !== undefined)
    return (
      <Offer
        id={id}
        organization={query.data.invitation.organization.name}
        role={roleNames[query.data.invitation.role]}
      />
    );
  if (query.error === null) {
    return (
      <SinglePromptLayout title={strings.loadingTitle}>
        <Loading />
      </SinglePromptLayout>
    );
  }
  if (GONE.has(readFault(query.error).status)) return <Gone />;
  return (
    <SinglePromptLayout title={strings.loadingTitle}>
      <LoadFailure error={query.error} retry={query.refetch} />
    </SinglePromptLayout>
  );
}

function Offer({ id, organization, role }: { id: string; organization: string; role: string }): ReactElement {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const accept = useMutation({
    mutationFn: () => client.invitations.accept({ invitation: id }),
    onSuccess: async ({ organization: joined }) => {
      await queryClient.fetchQuery({ ...meQuery, staleTime: 0 });
      toastDone(strings.joined(joined.name));
      await navigate({ to: '/chat', search: { org: joined.slug } });
    },
  });
  return (
    <SinglePromptLayout title={strings.title(organization)} text={strings.text(organization, role)}>
      <Account />
      <FormProblem text={accept.error === null ? undefined : readFault(accept.error).text} />
      <Group justify="flex-end">
        <Button loading={accept.isPending} onClick={() => accept.mutate()}>
          {strings.accept}
        </Button>
      </Group>
    </SinglePromptLayout>
  );
}

function Gone(): ReactElement {
  const elsewhere = useMutation({
    mutationFn: signOut,
    onSuccess: () => window.location.assign(`/sign-in?next=${encodeURIComponent(window.location.pathname)}`),
    onError: toastFault,
  });
  return (
    <SinglePromptLayout title={strings.goneTitle} text={strings.goneText}>
      <Stack>
        <Account />
        <Group justify="flex-end">
          <ButtonLink to="/workspaces" variant="default">
            {common.backToApp}
          </ButtonLink>
          <Button loading={elsewhere.isPending} onClick={() => elsewhere.mutate()}>
            {strings.switchAccount}
          </Button>
        </Group>
      </Stack>
    </SinglePromptLayout>
  );
}

function Account(): ReactElement | null {
  const { data: me } = useQuery(meQuery);
  return me === undefined ? null : <Text size="sm">{strings.account(me.user.email)}</Text>;
}
