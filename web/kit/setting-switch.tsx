import { Switch } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

interface SettingSwitchProps {
  label: string;
  description?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** For who may see the setting and not change it. */
  disabled?: boolean;
}

/** A setting that takes effect as soon as it is switched: words on the left, the switch on the right. */
export function SettingSwitch({
  label,
  description,
  checked,
  onChange,
  disabled = false,
}: SettingSwitchProps): ReactElement {
  // The library makes the whole row the label; its name is the first line alone, the rest describes it.
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

/** In a list of such settings, one a row. */
export function SwitchRow(props: SettingSwitchProps): ReactElement {
  return (
    <li className="row">
      <SettingSwitch {...props} />
    </li>
  );
}
