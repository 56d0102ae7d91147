import type { ReactElement } from 'react';
import type { Workspace } from '../../../../src/contract/workspaces.ts';
import { AnchorLink } from '../../../kit/links.tsx';
import { managesOrganization, useSignedIn } from '../../../session/organization-context.ts';
import { problemPages as strings } from '../strings.ts';
import { useChatPlace } from '../chat-place.ts';
import type { OpenPages, ProblemPage } from './explain-problem.ts';

/** Pages the person may open: organization settings, workspace keys, and always integrations. */
export function useOpenPages(): OpenPages {
  const { organization } = useSignedIn();
  const canManage = useChatPlace()?.canManage ?? false;
  return new Set<ProblemPage>([
    'integrations',
    ...(managesOrganization(organization) ? (['byok', 'plan'] as const) : []),
    ...(canManage ? (['llm-keys'] as const) : []),
  ]);
}

/** Links to the pages where an error is fixed. */
export function ProblemLinks({
  pages,
  app,
}: {
  pages: readonly ProblemPage[];
  app?: string | undefined;
}): ReactElement | null {
  const workspace = useChatPlace();
  if (pages.length === 0) return null;
  return (
    <ul className="problem-links">
      {pages.map((page) => (
        <li key={page}>
          <PageLink page={page} app={app} workspace={workspace} />
        </li>
      ))}
    </ul>
  );
}

function PageLink({
  page,
  app,
  workspace,
}: {
  page: ProblemPage;
  app: string | undefined;
  workspace: Workspace | undefined;
}): ReactElement {
  switch (page) {
    case 'byok':
      return (
        <AnchorLink to="/organization/settings/byok" size="sm">
          {strings.byok}
        </AnchorLink>
      );
    case 'plan':
      return (
        <AnchorLink to="/organization/settings/plan" size="sm">
          {strings.plan}
        </AnchorLink>
      );
    case 'llm-keys':
      return (
        <AnchorLink
          to="/workspaces/$slug/mcp-gateway"
          params={{ slug: workspace?.slug ?? '' }}
          search={{ tab: 'llm-keys' }}
          size="sm"
        >
          {strings.llmKeys(workspace?.name ?? '')}
        </AnchorLink>
      );
    case 'integrations':
      return (
        <AnchorLink
          to="/integrations"
          search={{
            ...(app === undefined ? {} : { q: app }),
            ...(workspace === undefined ? {} : { workspace: workspace.slug }),
          }}
          size="sm"
        >
          {strings.integrations}
        </AnchorLink>
      );
  }
}
