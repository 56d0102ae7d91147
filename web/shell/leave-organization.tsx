import type { ReactElement } from 'react';
import { client } from '../api/client.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { shell } from '../strings/shell.ts';
import { memberStrings as strings } from '../strings/workspaces.ts';
import { useStanding } from './organization-context.ts';

/** For everybody: members, who see none of the settings, too. */
export function LeaveOrganization({ onClose }: { onClose: () => void }): ReactElement {
  const { user, organization } = useStanding();
  return (
    <ConfirmDialog
      title={strings.leaveTitle(organization.name)}
      text={strings.leaveText}
      confirm={shell.leaveOrganization}
      act={() => client.organizations.members.remove({ org: organization.id, user: user.id })}
      onClose={onClose}
      onDone={() => window.location.assign('/')}
    />
  );
}
