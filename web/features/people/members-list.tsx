// The members of an organization or workspace: change a role, remove, leave.
import { Badge, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Role } from '../../../src/contract/common.ts';
import type { Member } from '../../../src/contract/organizations.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { common, roleNames } from '../../kit/strings.ts';
import { memberStrings as strings } from './strings.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { Monogram } from '../../kit/monogram.tsx';
import { isLower, RoleSelect } from './role-select.tsx';
import { Row, Rows } from '../../kit/rows.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';

interface MembersListProps {
  members: readonly Member[];
  /** The name of the organization or workspace. */
  place: string;
  /** What a member who is removed, or leaves, loses and leaves there, if it is more than access. */
  what?: { readonly removed: string; readonly left: string };
  /** The roles the current user may assign to a member; empty if they may not change it. */
  rolesFor: (member: Member) => readonly Role[];
  canRemove: (member: Member) => boolean;
  changeRole: (member: Member, role: Role) => Promise<unknown>;
  remove: (member: Member) => Promise<unknown>;
  onChanged: (member: Member, change: 'role' | 'removed') => void;
}

interface NewRole {
  readonly member: Member;
  readonly role: Role;
}

export function MembersList(props: MembersListProps): ReactElement {
  const { members, place, what, changeRole, remove, onChanged } = props;
  const { user } = useSignedIn();
  const [leaving, setLeaving] = useState<Member>();
  const [lowering, setLowering] = useState<NewRole>();
  const changed = ({ member, role }: NewRole): void => {
    toastDone(strings.roleChanged(member.name, roleNames[role]));
    onChanged(member, 'role');
  };
  const change = useMutation({
    mutationFn: ({ member, role }: NewRole) => changeRole(member, role),
    onSuccess: (_, made) => changed(made),
    onError: toastFault,
  });
  const pick = (wanted: NewRole): void => {
    const { member, role } = wanted;
    if (member.user === user.id && isLower(role, member.role)) setLowering(wanted);
    else change.mutate(wanted);
  };
  const isSelf = leaving?.user === user.id;
  return (
    <>
      <Rows label={strings.title}>
        {members.map((member) => (
          <MemberRow
            key={member.user}
            member={member}
            roles={props.rolesFor(member)}
            changing={change.isPending}
            onPick={(role) => pick({ member, role })}
            onRemove={props.canRemove(member) ? () => setLeaving(member) : undefined}
          />
        ))}
      </Rows>
      {lowering !== undefined && (
        <ConfirmDialog
          title={strings.lowerTitle(roleNames[lowering.role])}
          text={strings.lowerText(place)}
          confirm={strings.lower}
          act={() => changeRole(lowering.member, lowering.role)}
          onClose={() => setLowering(undefined)}
          onDone={() => {
            setLowering(undefined);
            changed(lowering);
          }}
        />
      )}
      {leaving !== undefined && (
        <ConfirmDialog
          title={isSelf ? strings.leaveTitle(place) : strings.removeTitle(leaving.name)}
          text={[isSelf ? strings.leaveText : strings.removeText(place), isSelf ? what?.left : what?.removed]
            .filter(Boolean)
            .join(' ')}
          confirm={isSelf ? strings.leave : strings.remove}
          act={() => remove(leaving)}
          onClose={() => setLeaving(undefined)}
          onDone={() => {
            setLeaving(undefined);
            toastDone(strings.removed(leaving.name));
            onChanged(leaving, 'removed');
          }}
        />
      )}
    </>
  );
}

interface MemberRowProps {
  member: Member;
  /** Empty if it cannot be changed. */
  roles: readonly Role[];
  changing: boolean;
  onPick: (role: Role) => void;
  onRemove: (() => void) | undefined;
}

function MemberRow({ member, roles, changing, onPick, onRemove }: MemberRowProps): ReactElement {
  const { user } = useSignedIn();
  const isSelf = member.user === user.id;
  return (
    <Row
      lead={<Monogram name={member.name} quiet />}
      title={
        <Group gap="xs">
          <bdi id={`member-${member.user}`}>{member.name}</bdi>
          {isSelf && <Badge>{common.you}</Badge>}
          {member.suspended && <Badge color="gray">{strings.suspended}</Badge>}
        </Group>
      }
      text={member.email}
      aside={
        <>
          {roles.length > 0 ? (
            <RoleSelect
              label={strings.roleOf(member.name)}
              roles={roles}
              value={member.role}
              disabled={changing}
              onPick={onPick}
            />
          ) : (
            <Text size="sm" c="dimmed">
              {roleNames[member.role]}
            </Text>
          )}
          {onRemove !== undefined && (
            <Button variant="default" size="sm" miw={96} aria-describedby={`member-${member.user}`} onClick={onRemove}>
              {isSelf ? strings.leave : strings.remove}
            </Button>
          )}
        </>
      }
    />
  );
}
