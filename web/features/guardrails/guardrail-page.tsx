import { Badge, Button, Stack, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { GuardrailGroup, GuardrailRule } from '../../../src/contract/guardrails.ts';
import { api, client } from '../../api/client.ts';
import { readFault } from '../../api/fault.ts';
import { guardrailQuery } from './queries.ts';
import { CardSkeleton } from '../../kit/card-skeleton.tsx';
import type { Config, ConfigField } from '../../kit/config-draft.ts';
import { fieldsOf } from './guardrail-rules.ts';
import { ButtonLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { PlainNote } from '../../kit/plain-note.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { common } from '../../kit/strings.ts';
import { guardrailKinds, guardrailStrings as strings } from './strings.ts';
import { GuardrailForm } from './guardrail-form.tsx';
import { GuardrailCrumbs } from './new-guardrail-page.tsx';
import { GuardrailTest } from './guardrail-test.tsx';
import { GuardrailVersions } from './guardrail-versions.tsx';

const route = getRouteApi('/signed/app/organization/settings/guardrails/$guardrail');

export function GuardrailPage(): ReactElement {
  const { organization } = useSignedIn();
  const { guardrail } = route.useParams();
  const { version } = route.useSearch();
  const asked = version === undefined ? undefined : Number(version);
  const query = useQuery(guardrailQuery(organization.id, guardrail, asked));
  if (query.data !== undefined)
    return <GuardrailView key={`${query.data.id}/${query.data.version}`} group={query.data} />;
  if (query.error === null) return <CardSkeleton />;
  const { status } = readFault(query.error);
  if (status !== 404 && status !== 400)
    return <LoadFailure title={strings.loadFailed} error={query.error} retry={query.refetch} />;
  return (
    <>
      <PageHeader title={strings.notFound} description={strings.notFoundText} />
      <ButtonLink to="/organization/settings/guardrails">{strings.back}</ButtonLink>
    </>
  );
}

function GuardrailView({ group }: { group: GuardrailGroup }): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [editing, setEditing] = useState(false);
  if (editing) {
    return (
      <>
        <PageHeader title={group.name} description={strings.editTitle(group.version)} above={<GuardrailCrumbs />} />
        <GuardrailForm
          from={group}
          submitText={strings.editSubmit}
          send={(input) => client.guardrails.versions.create({ org: organization.id, guardrail: group.id, ...input })}
          onDone={async ({ id, version }) => {
            await queryClient.invalidateQueries({ queryKey: api.guardrails.key() });
            setEditing(false);
            toastDone(strings.edited(version));
            await navigate({
              to: '/organization/settings/guardrails/$guardrail',
              params: { guardrail: id },
              search: { version: undefined },
            });
          }}
          cancel={
            <Button variant="default" onClick={() => setEditing(false)}>
              {common.cancel}
            </Button>
          }
        />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={group.name}
        description={
          <>
            {strings.version(group.version)}{' '}
            {group.version === group.latestVersion && <Badge ms={4}>{strings.latest}</Badge>}
          </>
        }
        above={<GuardrailCrumbs />}
        actions={
          <Button variant="default" onClick={() => setEditing(true)}>
            {strings.edit}
          </Button>
        }
      />
      <Stack gap="xl">
        <PlainNote text={strings.note} />
        <GuardrailTest group={group} />
        <section aria-labelledby="rules">
          <Title order={2} id="rules" mb="sm">
            {strings.rules}
          </Title>
          <Rows label={strings.rules}>
            {group.rules.map((rule, at) => (
              // Rules have no id, and a version never changes.
              <Row key={at} title={guardrailKinds[rule.kind].name} text={<RuleText rule={rule} />} />
            ))}
          </Rows>
        </section>
        <GuardrailVersions group={group} />
      </Stack>
    </>
  );
}

function RuleText({ rule }: { rule: GuardrailRule }): ReactElement {
  const config = rule.config as Config;
  const known: readonly ConfigField[] = fieldsOf(rule.kind);
  const entries = Object.entries(config);
  if (entries.length === 0) return <>{strings.standard}</>;
  return (
    <Stack gap={2}>
      {entries.map(([name, value]) => (
        <span key={name}>
          {known.find((field) => field.name === name)?.label ?? name}: {showValue(value)}
        </span>
      ))}
    </Stack>
  );
}

function showValue(value: Config[string]): string {
  if (typeof value === 'boolean') return value ? strings.yes : strings.no;
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
