// The effort and temperature of the chat, beside its model. Shown only if the model takes one of them.
import { Button, Popover, Stack, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { Icon } from '../../../kit/look/icons.tsx';
import { onDemand } from '../../../kit/on-demand.tsx';
import { type AnswerSettings, fitSettings, takesSettings } from '../answer/answer-settings.ts';
import { settingStrings as strings } from '../strings.ts';
import type { SettingsProps } from './settings-fields.tsx';

const SettingsFields = onDemand(async () => (await import('./settings-fields.tsx')).SettingsFields);

export function SettingsPicker({ capabilities, settings, onChange }: SettingsProps): ReactElement | null {
  const [opened, setOpened] = useState(false);
  if (!takesSettings(capabilities)) return null;
  const sent = fitSettings(capabilities, settings);
  const set = describe(sent);
  return (
    <Popover opened={opened} onChange={setOpened} position="top-start" width={280} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className="model-button settings-button" onClick={() => setOpened(!opened)}>
          <Icon name="settings" size={16} />
          <VisuallyHidden>{strings.title}</VisuallyHidden>
          {set !== '' && <span className="model-name">{set}</span>}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={strings.title} className="answer-settings">
        <Stack gap="md">
          <SettingsFields capabilities={capabilities} settings={settings} onChange={onChange} />
          <Button size="xs" variant="default" onClick={() => setOpened(false)}>
            {strings.done}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function describe({ effort, temperature }: AnswerSettings): string {
  return [effort && strings.efforts[effort], temperature?.toFixed(1)].filter((part) => part !== undefined).join(' · ');
}
