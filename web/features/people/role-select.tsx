import { Select } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Role } from '../../../src/contract/common.ts';
import { roleNames } from '../../kit/strings.ts';

/** The most powerful role first. */
export const ROLES: readonly Role[] = ['owner', 'admin', 'member'];

export function roleOptions(roles: readonly Role[]): { value: Role; label: string }[] {
  return roles.map((value) => ({ value, label: roleNames[value] }));
}

/** Only an owner may grant or remove the owner role. */
export function grantableRoles(own: Role): readonly Role[] {
  return own === 'owner' ? ROLES : ROLES.filter((role) => role !== 'owner');
}

/** Whether one role has fewer permissions than the other. */
export function isLower(role: Role, than: Role): boolean {
  return ROLES.indexOf(role) > ROLES.indexOf(than);
}

interface RoleSelectProps {
  label: string;
  roles: readonly Role[];
  value: Role;
  disabled: boolean;
  onPick: (role: Role) => void;
}

/** Changes the role as soon as another is selected. */
export function RoleSelect({ label, roles, value, disabled, onPick }: RoleSelectProps): ReactElement {
  return (
    <Select
      aria-label={label}
      data={roleOptions(roles)}
      value={value}
      disabled={disabled}
      size="sm"
      w={132}
      onChange={(picked) => {
        if (picked !== null && picked !== value) onPick(picked);
      }}
    />
  );
}
