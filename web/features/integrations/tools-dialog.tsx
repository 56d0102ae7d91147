import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import type { ListedConnector } from './queries.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { accessNames } from './connection-strings.ts';
import { integrationStrings as strings } from './strings.ts';

export function ToolsDialog({ connector, onClose }: { connector: ListedConnector; onClose: () => void }): ReactElement {
  return (
    <Dialog onClose={onClose} title={strings.toolsOf(connector.name)} size="lg">
      <Stack component="ul" gap="md" className="plain-list">
        {connector.tools.map(({ name, access, description }) => (
          <li key={name}>
            <Group gap="xs">
              <code>{name}</code>
              <Badge color={access === 'write' ? 'yellow' : 'gray'}>{accessNames[access]}</Badge>
            </Group>
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          </li>
        ))}
      </Stack>
    </Dialog>
  );
}
