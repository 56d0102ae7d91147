import { Breadcrumbs, Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { AnchorLink } from '../../kit/links.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { TabLine } from '../../kit/tab-line.tsx';
import { gatewayStrings as strings } from './strings.ts';
import { workspaceStrings } from '../workspaces/strings.ts';
import { GatewayClients } from './gateway-clients.tsx';
import { GatewayConnections } from './gateway-connections.tsx';
import { GatewayLlmKeys } from './gateway-llm-keys.tsx';
import { GatewayOverview } from './gateway-overview.tsx';
import { GatewayTokens } from './gateway-tokens.tsx';
import { WorkspaceGate } from '../workspaces/workspace-gate.tsx';

const route = getRouteApi('/signed/app/workspaces/$slug/mcp-gateway');

const TABS = {
  overview: GatewayOverview,
  connections: GatewayConnections,
  'llm-keys': GatewayLlmKeys,
  clients: GatewayClients,
  tokens: GatewayTokens,
} as const;
type Tab = keyof typeof TABS;

export function McpGatewayPage(): ReactElement {
  const { slug } = route.useParams();
  const { tab: asked } = route.useSearch();
  const navigate = route.useNavigate();
  const tab: Tab = asked !== undefined && Object.hasOwn(TABS, asked) ? (asked as Tab) : 'overview';
  const Panel = TABS[tab];
  return (
    <WorkspaceGate slug={slug}>
      {(workspace) => (
        <>
          <PageHeader
            title={strings.title}
            description={strings.description(workspace.name)}
            above={
              <Breadcrumbs separator="/" fz="sm">
                <AnchorLink to="/workspaces" size="sm">
                  {workspaceStrings.title}
                </AnchorLink>
                <AnchorLink to="/workspaces/$slug" params={{ slug }} size="sm">
                  {workspace.name}
                </AnchorLink>
              </Breadcrumbs>
            }
          />
          <Tabs
            value={tab}
            onChange={(value) =>
              void navigate({
                search: ({ org, workspace: slugOfTab }) => ({ org, workspace: slugOfTab, tab: value ?? 'overview' }),
              })
            }
            keepMounted={false}
          >
            <TabLine names={strings.tabs} current={tab} />
            <Tabs.Panel value={tab}>
              <Panel key={workspace.id} workspace={workspace} />
            </Tabs.Panel>
          </Tabs>
        </>
      )}
    </WorkspaceGate>
  );
}
