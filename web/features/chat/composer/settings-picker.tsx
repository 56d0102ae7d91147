// The effort and temperature of the chat, beside its model. Shown only if the model takes one of them.
import {
  Button,
  Checkbox,
  Group,
  Popover,
  Radio,
  Slider,
  Stack,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { type ReactElement, useState } from 'react';
import type { ListedModel } from '../../../../src/contract/models.ts';
import { Icon } from '../../../kit/look/icons.tsx';
import { type AnswerSettings, fitSettings, takesSettings, takesTemperature } from '../answer/answer-settings.ts';
import { settingStrings as strings } from '../strings.ts';

interface SettingsPickerProps {
  capabilities: ListedModel['capabilities'];
  settings: AnswerSettings;
  onChange: (settings: AnswerSettings) => void;
}

const BY_DEFAULT = 'default';
const STEP = 0.1;

export function SettingsPicker({ capabilities, settings, onChange }: SettingsPickerProps): ReactElement | null {
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
          {capabilities.efforts.length > 0 && (
            <Effort capabilities={capabilities} settings={settings} onChange={onChange} />
          )}
          {capabilities.temperatures !== undefined && (
            <Temperature capabilities={capabilities} settings={settings} onChange={onChange} />
          )}
          <Button size="xs" variant="default" onClick={() => setOpened(false)}>
            {strings.done}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Effort({ capabilities, settings, onChange }: SettingsPickerProps): ReactElement {
  const { efforts, defaultEffort } = capabilities;
  const { effort } = fitSettings(capabilities, settings);
  return (
    <Radio.Group
      label={strings.effort}
      description={strings.effortText}
      value={effort ?? BY_DEFAULT}
      onChange={(value) => onChange({ ...settings, effort: efforts.find((each) => each === value) })}
    >
      <Stack gap={6} mt="xs" className="answer-efforts">
        <Radio value={BY_DEFAULT} label={strings.byDefault(defaultEffort && strings.efforts[defaultEffort])} />
        {efforts.map((each) => (
          <Radio key={each} value={each} label={strings.efforts[each]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function Temperature({ capabilities, settings, onChange }: SettingsPickerProps): ReactElement {
  const max = capabilities.temperatures?.max ?? 0;
  const { effort, temperature } = fitSettings(capabilities, settings);
  const taken = takesTemperature(capabilities, effort);
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {strings.temperature}
        </Text>
        <Text size="sm" c="dimmed">
          {temperature === undefined ? strings.byDefault(undefined) : temperature.toFixed(1)}
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        {taken ? strings.temperatureText : strings.onlyWithoutEffort}
      </Text>
      <Checkbox
        label={strings.setTemperature}
        disabled={!taken}
        checked={temperature !== undefined}
        onChange={({ currentTarget }) =>
          onChange({ ...settings, temperature: currentTarget.checked ? Math.min(1, max) : undefined })
        }
      />
      {temperature !== undefined && (
        <Slider
          min={0}
          max={max}
          step={STEP}
          label={null}
          thumbLabel={strings.temperature}
          value={temperature}
          onChange={(value) => onChange({ ...settings, temperature: Math.round(value * 10) / 10 })}
        />
      )}
    </Stack>
  );
}

function describe({ effort, temperature }: AnswerSettings): string {
  return [effort && strings.efforts[effort], temperature?.toFixed(1)].filter((part) => part !== undefined).join(' · ');
}
