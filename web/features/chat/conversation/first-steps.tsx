import { Button, Card, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type LinkProps, linkOptions } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { threadsQuery } from '../queries.ts';
import { connectionsQuery } from '../../integrations/queries.ts';
import { grantsQuery } from '../../mcp-gateway/grant-queries.ts';
import { tokensQuery } from '../../mcp-gateway/token-queries.ts';
import { runsQuery } from '../../runs/queries.ts';
import { createKeyedStore } from '../../../kit/keyed-store.ts';
import { Icon } from '../../../kit/look/icons.tsx';
import { AnchorLink } from '../../../kit/links.tsx';
import { managesOrganization, useCurrentWorkspace, useSignedIn } from '../../../session/organization-context.ts';
import { firstSteps as strings } from '../strings.ts';

/** By organization. */
const hiddenSteps = createKeyedStore<boolean>({
  empty: false,
  persist: { area: 'local', prefix: 'first-steps-hidden:', pack: () => '1', unpack: () => true },
});

interface Step {
  readonly step: keyof typeof strings.steps;
  readonly done: boolean;
  readonly link?: LinkProps;
}

/** Onboarding steps. Hidden once all are done, or on request. */
export function FirstSteps({ demo, hasKey }: { demo: boolean; hasKey: boolean }): ReactElement | null {
  const { organization } = useSignedIn();
  const hidden = hiddenSteps.use(organization.id);
  const steps = useSteps({ demo, hasKey, hidden });
  if (steps === undefined || steps.every(({ done }) => done)) return null;
  return (
    <Card component="section" aria-labelledby="first-steps" padding="md">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="first-steps" fz="sm">
          {strings.title}
        </Title>
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => hiddenSteps.set(organization.id, true)}>
          {strings.dismiss}
        </Button>
      </Group>
      <Stack gap="sm" component="ul" className="first-steps">
        {steps.map((step) => (
          <ShowStep key={step.step} {...step} />
        ))}
      </Stack>
    </Card>
  );
}

/** Undefined until all steps are known. */
function useSteps({
  demo,
  hasKey,
  hidden,
}: {
  demo: boolean;
  hasKey: boolean;
  hidden: boolean;
}): readonly Step[] | undefined {
  const { organization } = useSignedIn();
  const { current } = useCurrentWorkspace();
  const enabled = !hidden;
  const threads = useInfiniteQuery({ ...threadsQuery(organization.id), enabled });
  const tokens = useInfiniteQuery({ ...tokensQuery(organization.id), enabled });
  const grants = useInfiniteQuery({ ...grantsQuery, enabled });
  const runs = useInfiniteQuery({ ...runsQuery(organization.id, {}), enabled });
  const connections = useQuery({
    ...connectionsQuery({ organization: organization.id, workspace: current?.id ?? '' }),
    enabled: enabled && current !== undefined,
  });
  if (hidden || threads.data === undefined || tokens.data === undefined) return undefined;
  // Connections and runs cannot be read by someone who is not in the workspace; the step then counts as not done.
  if (grants.isPending || runs.isPending || connections.isPending) return undefined;
  const hasClient =
    tokens.data.pages.some((page) => page.tokens.some(reachesTools)) ||
    (grants.data?.pages.some((page) => page.grants.some((grant) => grant.organization === organization.id)) ?? false);
  return [
    { step: 'ask', done: threads.data.pages.some((page) => page.threads.length > 0) },
    ...(demo ? [] : [keyStep(hasKey, managesOrganization(organization))]),
    {
      step: 'connect',
      done: connections.data !== undefined && connections.data.length > 0,
      link: linkOptions({ to: '/integrations' }),
    },
    { step: 'client', done: hasClient, ...(current === undefined ? {} : { link: toClients(current.slug) }) },
    {
      step: 'run',
      done: runs.data?.pages.some((page) => page.jobs.length > 0) ?? false,
      link: linkOptions({ to: '/runs', search: { start: '1' } }),
    },
  ];
}

/** Not where demo models answer: they need no key. */
function keyStep(hasKey: boolean, canManage: boolean): Step {
  return {
    step: 'key',
    done: hasKey,
    ...(canManage ? { link: linkOptions({ to: '/organization/settings/byok' }) } : {}),
  };
}

function toClients(slug: string): LinkProps {
  return linkOptions({ to: '/workspaces/$slug/mcp-gateway', params: { slug }, search: { tab: 'clients' } });
}

function ShowStep({ step, done, link }: Step): ReactElement {
  const { title, text } = strings.steps[step];
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <span className="step-mark" data-done={done ? true : undefined}>
        {done && <Icon name="check" size={12} />}
      </span>
      <div>
        <Text
          component="span"
          display="block"
          size="sm"
          fw={550}
          {...(done ? { td: 'line-through', c: 'dimmed' } : {})}
        >
          {!done && link !== undefined ? (
            <AnchorLink {...link} size="sm" c="inherit">
              {title}
            </AnchorLink>
          ) : (
            title
          )}
          {done && <VisuallyHidden> ({strings.done})</VisuallyHidden>}
        </Text>
        {!done && (
          <Text component="span" size="xs" c="dimmed">
            {text}
          </Text>
        )}
      </div>
    </Group>
  );
}

/** An active token that an MCP client can use. */
function reachesTools({ scopes, revokedAt }: { scopes: readonly string[]; revokedAt?: string | undefined }): boolean {
  return revokedAt === undefined && scopes.some((scope) => scope.startsWith('connect:'));
}
