import { Alert, Button, Group, List, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { answerConsentRequest, type ConsentAnswer, type ConsentRequest, readConsentRequest } from './consent.ts';
import { readFault, translateSentence } from '../../api/fault.ts';
import { meQuery } from '../../session/me-query.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { SinglePromptLayout } from '../../kit/single-prompt-layout.tsx';
import { preferredOrganization } from '../../session/preferred-organization.ts';
import { consentStrings as strings, organizationStrings } from './strings.ts';
import { scopeTexts } from '../mcp-gateway/strings.ts';

const route = getRouteApi('/signed/consent');
const ALL = 'all';

export function ConsentPage(): ReactElement {
  const { request: id } = route.useSearch();
  const query = useQuery({
    queryKey: ['consent', id],
    queryFn: () => readConsentRequest(id ?? ''),
    enabled: id !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.data?.request.fault !== undefined)
    return <Fault request={query.data.request} text={translateSentence(query.data.request.fault.description)} />;
  if (query.data !== undefined) return <Question asked={query.data} />;
  if (id === undefined || (query.error !== null && readFault(query.error).status === 404))
    return <SinglePromptLayout title={strings.missingTitle} text={strings.missingText} />;
  return (
    <SinglePromptLayout title={strings.loadingTitle}>
      {query.error === null ? <Loading /> : <LoadFailure error={query.error} retry={query.refetch} />}
    </SinglePromptLayout>
  );
}

/** The person sees which client it is before the browser is sent there. */
function Fault({
  request: { id, client, redirectHost },
  text,
}: {
  request: ConsentRequest['request'];
  text: string;
}): ReactElement {
  const goBack = useMutation({
    mutationFn: () => answerConsentRequest(id, { approve: false }),
    onSuccess: (redirect) => window.location.assign(redirect),
  });
  return (
    <SinglePromptLayout title={strings.faultTitle(client.name)} text={strings.faultText}>
      <Text>{text}</Text>
      <Alert color="yellow" icon={<Icon name="alert" />}>
        {client.verifiedHost === undefined ? strings.unverified : strings.verified(client.verifiedHost)}
      </Alert>
      <Text size="sm">{strings.faultStay}</Text>
      <FormProblem text={goBack.error === null ? undefined : readFault(goBack.error).text} />
      <Group justify="flex-end">
        <Button variant="default" loading={goBack.isPending || goBack.isSuccess} onClick={() => goBack.mutate()}>
          {strings.faultBack(redirectHost)}
        </Button>
      </Group>
    </SinglePromptLayout>
  );
}

function Question({ asked: { request, organizations } }: { asked: ConsentRequest }): ReactElement {
  const { name, verifiedHost } = request.client;
  const decide = useMutation({
    mutationFn: (answer: ConsentAnswer) => answerConsentRequest(request.id, answer),
    onSuccess: (redirect) => window.location.assign(redirect),
  });
  return (
    <SinglePromptLayout title={strings.title(name)} text={strings.text(name)}>
      {verifiedHost === undefined ? (
        <Alert color="yellow" icon={<Icon name="alert" />}>
          {strings.unverified}
        </Alert>
      ) : (
        <Text size="sm">{strings.verified(verifiedHost)}</Text>
      )}
      <Scopes scopes={request.scopes} offline={request.offline} />
      <Answer organizations={organizations} busy={decide.isPending || decide.isSuccess} onAnswer={decide.mutate} />
      <Text size="sm" c="dimmed">
        {strings.redirect(request.redirectHost)}
      </Text>
      <FormProblem text={decide.error === null ? undefined : readFault(decide.error).text} />
    </SinglePromptLayout>
  );
}

/** Starts with the narrowest useful access: the Default workspace of the last used organization. */
function Answer({
  organizations,
  busy,
  onAnswer,
}: {
  organizations: ConsentRequest['organizations'];
  busy: boolean;
  onAnswer: (answer: ConsentAnswer) => void;
}): ReactElement {
  const { data: me } = useQuery(meQuery);
  const [organizationId, setOrganizationId] = useState<string>();
  const [workspaceId, setWorkspaceId] = useState<string>();
  const organization = organizations.find(({ id }) => id === organizationId) ?? preferredOrganization(organizations);
  const workspaces = organization?.workspaces ?? [];
  const known = workspaceId === ALL || workspaces.some(({ id }) => id === workspaceId);
  const reach = (known ? workspaceId : workspaces.find(({ kind }) => kind === 'default')?.id) ?? ALL;
  return (
    <Stack>
      {organization === undefined ? (
        <Group justify="space-between">
          <Text size="sm">{me?.organizationsClosed ? strings.needsInvitation : strings.needsOrganization}</Text>
          {!me?.organizationsClosed && (
            <ButtonLink to="/organizations/new" variant="default">
              {organizationStrings.submit}
            </ButtonLink>
          )}
        </Group>
      ) : (
        <>
          <Select
            label={strings.organization}
            data={organizations.map(({ id, name }) => ({ value: id, label: name }))}
            value={organization.id}
            onChange={(id) => setOrganizationId(id ?? undefined)}
          />
          <Select
            label={strings.workspace}
            data={[
              ...workspaces.map(({ id, name }) => ({ value: id, label: name })),
              { value: ALL, label: strings.allWorkspaces },
            ]}
            value={reach}
            onChange={(id) => setWorkspaceId(id ?? undefined)}
          />
        </>
      )}
      <Group justify="flex-end">
        <Button variant="default" disabled={busy} onClick={() => onAnswer({ approve: false })}>
          {strings.deny}
        </Button>
        <Button
          loading={busy}
          disabled={organization === undefined}
          onClick={() =>
            organization !== undefined &&
            onAnswer({ approve: true, organization: organization.id, ...(reach === ALL ? {} : { workspace: reach }) })
          }
        >
          {strings.approve}
        </Button>
      </Group>
    </Stack>
  );
}

function Scopes({ scopes, offline }: { scopes: readonly string[]; offline: boolean }): ReactElement {
  const known: Readonly<Record<string, { name: string; text: string }>> = scopeTexts;
  const lines = [
    ...scopes.map((scope) => known[scope] ?? { name: scope, text: strings.unknownScope }),
    ...(offline ? [strings.offline] : []),
  ];
  return (
    <div>
      <Text fw={550} size="sm" mb="xs">
        {strings.asks}
      </Text>
      <List spacing="xs" size="sm">
        {lines.map(({ name, text }) => (
          <List.Item key={name}>
            <Text component="span" size="sm" fw={550}>
              {name}
            </Text>
            <Text component="span" size="sm" c="dimmed" display="block">
              {text}
            </Text>
          </List.Item>
        ))}
      </List>
    </div>
  );
}
