import { Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../kit/look/icons.tsx';

interface SwitcherTargetProps {
  readonly mark: ReactNode;
  /** The purpose of the button, announced before the name. */
  readonly purpose: string;
  readonly name: string;
  readonly detail?: string;
  readonly strong?: boolean;
}

/** The button of a menu in the navigation, with the current choice. */
export function SwitcherTarget({ mark, purpose, name, detail, strong = false }: SwitcherTargetProps): ReactElement {
  return (
    <Menu.Target>
      <UnstyledButton className="switcher">
        {mark}
        <VisuallyHidden>{purpose}</VisuallyHidden>
        <span className="rail-text" style={{ flex: 1, minWidth: 0 }}>
          <Text
            component="span"
            display="block"
            size="sm"
            truncate
            dir="auto"
            {...(detail === undefined ? {} : { fw: strong ? 600 : 550 })}
          >
            {name}
          </Text>
          {detail !== undefined && (
            <Text component="span" display="block" size="xs" c="dimmed" truncate>
              {detail}
            </Text>
          )}
        </span>
        <Icon name="chevrons" size={16} />
      </UnstyledButton>
    </Menu.Target>
  );
}
