import { Badge, Card, Text, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import type { ConnectionTool } from '../integrations/queries.ts';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { toastDone } from '../../kit/toasts.tsx';
import { SwitchRow } from '../../kit/setting-switch.tsx';
import { accessNames, connectionStrings as strings } from '../integrations/connection-strings.ts';
import { useActionSwitch } from './use-connection-policy.ts';

interface ActionSwitchesProps {
  workspace: Workspace;
  /** The name of the app. */
  app: string;
  connection: string;
  tools: readonly ConnectionTool[];
}

/** A switch per action of a connection; read-only for people who may not change them. */
export function ActionSwitches({ workspace, app, connection, tools }: ActionSwitchesProps): ReactElement {
  const { canManage } = workspace;
  const change = useActionSwitch({ organization: workspace.organization, workspace: workspace.id }, connection);
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
            onChange={(checked) =>
              change(name, checked, () => {
                if (checked && access === 'write') toastDone(strings.writeOn(name, app, workspace.name));
              })
            }
            description={
              <>
                <Badge component="span" size="sm" me={8} color={access === 'write' ? 'yellow' : 'gray'}>
                  {accessNames[access]}
                </Badge>
                {description}
                {enabled && access === 'write' && (
                  <Text component="span" display="block" size="sm" mt={4} c="var(--mantine-color-yellow-light-color)">
                    {strings.writeIsOn(app, workspace.name)}
                  </Text>
                )}
              </>
            }
          />
        ))}
      </Card>
    </section>
  );
}
