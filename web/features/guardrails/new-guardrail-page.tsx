import { Breadcrumbs } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { api, client } from '../../api/client.ts';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { common } from '../../kit/strings.ts';
import { guardrailStrings as strings } from './strings.ts';
import { GuardrailForm } from './guardrail-form.tsx';

export function NewGuardrailPage(): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title={strings.createTitle} description={strings.note} above={<GuardrailCrumbs />} />
      <GuardrailForm
        submitText={strings.createSubmit}
        send={(group) => client.guardrails.create({ org: organization.id, ...group })}
        onDone={async (group) => {
          await queryClient.invalidateQueries({ queryKey: api.guardrails.key() });
          toastDone(strings.created(group.name));
          await navigate({ to: '/organization/settings/guardrails/$guardrail', params: { guardrail: group.id } });
        }}
        cancel={
          <ButtonLink to="/organization/settings/guardrails" variant="default">
            {common.cancel}
          </ButtonLink>
        }
      />
    </>
  );
}

export function GuardrailCrumbs(): ReactElement {
  return (
    <Breadcrumbs separator="/" fz="sm">
      <AnchorLink to="/organization/settings/guardrails" size="sm">
        {strings.title}
      </AnchorLink>
    </Breadcrumbs>
  );
}
