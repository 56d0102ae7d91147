import { Button, Card, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { threadsQuery } from './queries.ts';
import { connectionsQuery } from '../integrations/queries.ts';
import { grantsQuery } from '../mcp-gateway/grant-queries.ts';
import { tokensQuery } from '../mcp-gateway/token-queries.ts';
import { runsQuery } from '../runs/queries.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { managesOrganization, useStanding } from '../../session/organization-context.ts';
import { useCurrentWorkspace } from '../../session/use-current-workspace.ts';
import { firstSteps as strings } from './strings.ts';

const HIDDEN_KEY = 'first-steps-hidden';

interface Step {
  readonly step: keyof typeof strings.steps;
  readonly done: boolean;
  readonly link?: ReactElement;
}

/** What a newcomer does first. Gone once all is done, or when it is hidden. */
export function FirstSteps({ demo, hasKey }: { demo: boolean; hasKey: boolean }): ReactElement | null {
  const { organization } = useStanding();
  const { current } = useCurrentWorkspace();
  const [hidden, setHidden] = useState(() => isHidden(organization.id));
  const threads = useInfiniteQuery({ ...threadsQuery(organization.id), enabled: !hidden });
  const tokens = useInfiniteQuery({ ...tokensQuery(organization.id), enabled: !hidden });
  const grants = useInfiniteQuery({ ...grantsQuery, enabled: !hidden });
  const runs = useInfiniteQuery({ ...runsQuery(organization.id, {}), enabled: !hidden });
  const connections = useQuery({
    ...connectionsQuery({ organization: organization.id, workspace: current?.id ?? '' }),
    enabled: !hidden && current !== undefined,
  });
  // Connections may be out of reach, for who is not in the workspace, and so may runs: then the step is simply not done.
  if (
    hidden ||
    threads.data === undefined ||
    tokens.data === undefined ||
    grants.isPending ||
    runs.isPending ||
    connections.isPending
  )
    return null;
  const hasClient =
    tokens.data.pages.some((page) => page.tokens.some(reachesTools)) ||
    (grants.data?.pages.some((page) => page.grants.some((grant) => grant.organization === organization.id)) ?? false);

  const steps: readonly Step[] = [
    { step: 'ask', done: threads.data.pages.some((page) => page.threads.length > 0) },
    {
      step: 'key',
      done: demo || hasKey,
      ...(managesOrganization(organization)
        ? {
            link: (
              <AnchorLink to="/organization/settings/byok" size="sm" c="inherit">
                {strings.steps.key.title}
              </AnchorLink>
            ),
          }
        : {}),
    },
    {
      step: 'connect',
      done: connections.data !== undefined && connections.data.length > 0,
      link: (
        <AnchorLink to="/integrations" size="sm" c="inherit">
          {strings.steps.connect.title}
        </AnchorLink>
      ),
    },
    {
      step: 'client',
      done: hasClient,
      ...(current === undefined
        ? {}
        : {
            link: (
              <AnchorLink
                to="/workspaces/$slug/mcp-gateway"
                params={{ slug: current.slug }}
                search={{ tab: 'clients' }}
                size="sm"
                c="inherit"
              >
                {strings.steps.client.title}
              </AnchorLink>
            ),
          }),
    },
    {
      step: 'run',
      done: runs.data?.pages.some((page) => page.jobs.length > 0) ?? false,
      link: (
        <AnchorLink to="/runs" search={{ start: '1' }} size="sm" c="inherit">
          {strings.steps.run.title}
        </AnchorLink>
      ),
    },
  ];
  if (steps.every(({ done }) => done)) return null;
  return (
    <Card component="section" aria-labelledby="first-steps" padding="md">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="first-steps" fz="sm">
          {strings.title}
        </Title>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          onClick={() => {
            hide(organization.id);
            setHidden(true);
          }}
        >
          {strings.dismiss}
        </Button>
      </Group>
      <Stack gap="sm" component="ul" className="first-steps">
        {steps.map(({ step, done, link }) => (
          <Group key={step} component="li" gap="sm" wrap="nowrap" align="flex-start">
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
                {!done && link !== undefined ? link : strings.steps[step].title}
                {done && <VisuallyHidden> ({strings.done})</VisuallyHidden>}
              </Text>
              {!done && (
                <Text component="span" size="xs" c="dimmed">
                  {strings.steps[step].text}
                </Text>
              )}
            </div>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}

/** A token that an MCP client can use, and that still works. */
function reachesTools({ scopes, revokedAt }: { scopes: readonly string[]; revokedAt?: string | undefined }): boolean {
  return revokedAt === undefined && scopes.some((scope) => scope.startsWith('connect:'));
}

function isHidden(organization: string): boolean {
  try {
    return localStorage.getItem(`${HIDDEN_KEY}:${organization}`) !== null;
  } catch {
    return false;
  }
}

function hide(organization: string): void {
  try {
    localStorage.setItem(`${HIDDEN_KEY}:${organization}`, '1');
  } catch {
    // Storage may be off; then it is hidden for as long as the page lives.
  }
}
