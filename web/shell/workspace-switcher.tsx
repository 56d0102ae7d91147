import { Menu, ScrollArea } from '@mantine/core';
import { useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Workspace } from '../../src/contract/workspaces.ts';
import { Icon } from '../kit/look/icons.tsx';
import { common } from '../kit/strings.ts';
import { sessionStrings } from '../session/strings.ts';
import { shell } from './strings.ts';
import { SwitcherTarget } from './switcher-target.tsx';
import { useCurrentWorkspace } from '../session/organization-context.ts';

export function WorkspaceSwitcher(): ReactElement {
  const { workspaces, current, failure } = useCurrentWorkspace();
  const switchTo = useSwitchWorkspace();
  const navigate = useNavigate();
  const name = current?.name ?? (failure === undefined ? common.loading : sessionStrings.workspacesFailed);
  return (
    <Menu position="bottom-start" width={248}>
      <SwitcherTarget
        mark={
          <span style={{ width: '1.875rem', display: 'grid', placeItems: 'center', flex: 'none' }}>
            <Icon name="workspaces" />
          </span>
        }
        purpose={shell.switchWorkspace}
        name={name}
      />
      <Menu.Dropdown>
        <Menu.Label>{shell.workspace}</Menu.Label>
        <ScrollArea.Autosize mah={320} type="auto">
          {workspaces.map((each) => (
            <Menu.Item
              key={each.id}
              rightSection={each.id === current?.id ? <Icon name="check" size={16} /> : undefined}
              aria-current={each.id === current?.id}
              onClick={() => switchTo(each)}
            >
              {each.name}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
        <Menu.Divider />
        <Menu.Item onClick={() => void navigate({ to: '/workspaces' })}>{shell.allWorkspaces}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/**
 * On a workspace page: opens the same page of the other workspace. In a chat: starts a new chat there, because a chat
 * stays in its workspace. Elsewhere: stays on the page and switches the workspace.
 */
function useSwitchWorkspace(): (workspace: Workspace) => void {
  const navigate = useNavigate();
  const { slug, thread } = useParams({ strict: false });
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  return (workspace) => {
    if (thread !== undefined) void navigate({ to: '/chat', search: { workspace: workspace.slug } });
    else if (slug === undefined)
      void navigate({ to: pathname, search: (search: object) => ({ ...search, workspace: workspace.slug }) } as never);
    else if (pathname.endsWith('/mcp-gateway'))
      void navigate({
        to: '/workspaces/$slug/mcp-gateway',
        params: { slug: workspace.slug },
        search: (search) => ({ ...search, workspace: workspace.slug }),
      });
    else
      void navigate({
        to: '/workspaces/$slug',
        params: { slug: workspace.slug },
        search: { workspace: workspace.slug },
      });
  };
}
