import { Badge, Card, Text, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import type { ConnectionTool } from '../integrations/queries.ts';
import type { WorkspaceNames } from '../../api/workspace-names.ts';
import { SwitchRow } from '../../kit/setting-switch.tsx';
import { accessNames, connectionStrings as strings } from '../integrations/connection-strings.ts';
import { useActionSwitch } from './use-connection-policy.ts';

interface ActionSwitchesProps {
  place: WorkspaceNames;
  connection: string;
  tools: readonly ConnectionTool[];
  canManage: boolean;
}

/** A switch per action of a connection; read-only for people who may not change them. */
export function ActionSwitches({ place, connection, tools, canManage }: ActionSwitchesProps): ReactElement {
  const change = useActionSwitch(place, connection);
  return (
    <section aria-labelledby="actions">
      <Title order={2} id="actions">
        {strings.actions}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {strings.actionsText} {!canManage && strings.readOnly}
      </Text>
      <Card padding={0} component="ul" aria-labelledby="actions" className="rows" m={0}>
        {tools.map(({ name, access, description, enabled }) => (
          <SwitchRow
            key={name}
            label={name}
            disabled={!canManage}
            checked={enabled}
            onChange={(checked) => change(name, checked)}
            description={
              <>
                <Badge component="span" size="sm" mr={8} color={access === 'write' ? 'yellow' : 'gray'}>
                  {accessNames[access]}
                </Badge>
                {description}
              </>
            }
          />
        ))}
      </Card>
    </section>
  );
}
