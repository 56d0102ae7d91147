import type { ReactElement } from 'react';
import { client } from '../api/client.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { shell } from './strings.ts';
import { memberStrings as strings } from '../features/people/strings.ts';
import { useStanding } from '../session/organization-context.ts';

/** For everyone, including members, who have no access to the settings. */
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
