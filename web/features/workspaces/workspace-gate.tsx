import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { workspacesQuery } from '../../session/queries.ts';
import { ButtonLink } from '../../kit/links.tsx';
import { LoadFailure } from '../../kit/list-state.tsx';
import { Loading } from '../../kit/loading.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { sessionStrings } from '../../session/strings.ts';
import { workspaceStrings as strings } from './strings.ts';

/** Renders its children once the workspace in the address is loaded; otherwise says that there is none. */
export function WorkspaceGate({
  slug,
  children,
}: {
  slug: string;
  children: (workspace: Workspace) => ReactNode;
}): ReactElement {
  const { organization } = useSignedIn();
  const query = useQuery(workspacesQuery(organization.id));
  const workspace = query.data?.find((each) => each.slug === slug);
  if (workspace !== undefined) return <>{children(workspace)}</>;
  if (query.isPending) {
    return (
      <Loading>
        <Stack>
          <Skeleton height={28} width="40%" />
          <Skeleton height={14} width="60%" />
          <Skeleton height={160} radius="lg" />
        </Stack>
      </Loading>
    );
  }
  if (query.data === undefined) return <LoadFailure error={query.error} retry={query.refetch} />;
  return (
    <>
      <PageHeader title={strings.notFound} description={strings.notFoundText(slug)} />
      <ButtonLink to="/workspaces">{sessionStrings.toWorkspaces}</ButtonLink>
    </>
  );
}
