import { Alert, Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { integrationStrings as strings } from './strings.ts';

/** For people who manage a workspace without being a member. */
export function NotMember({ workspace }: { workspace: Workspace }): ReactElement {
  return (
    <Alert color="yellow" icon={<Icon name="people" />} title={strings.notMember} role="note">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{strings.notMemberText}</Text>
        <ButtonLink to="/workspaces/$slug" params={{ slug: workspace.slug }} variant="default" size="xs">
          {strings.openWorkspace}
        </ButtonLink>
      </Stack>
    </Alert>
  );
}
