import { Switch } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

interface SettingSwitchProps {
  label: string;
  description?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Read-only for people who may not change it. */
  disabled?: boolean;
}

/** A setting that takes effect immediately: label on the left, switch on the right. */
export function SettingSwitch({
  label,
  description,
  checked,
  onChange,
  disabled = false,
}: SettingSwitchProps): ReactElement {
  // The library labels the switch with the whole row; only the first line is its name, the rest its description.
  return (
    <Switch
      aria-label={label}
      className="setting-switch"
      labelPosition="left"
      label={label}
      description={description}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

/** A setting as a row of a list. */
export function SwitchRow(props: SettingSwitchProps): ReactElement {
  return (
    <li className="row">
      <SettingSwitch {...props} />
    </li>
  );
}
