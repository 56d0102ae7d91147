// The fields of the answer's settings, loaded when somebody opens them.
import { Checkbox, Group, Radio, Slider, Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import type { ListedModel } from '../../../../src/contract/models.ts';
import { type AnswerSettings, fitSettings, takesTemperature } from '../answer/answer-settings.ts';
import { settingStrings as strings } from '../strings.ts';

export interface SettingsProps {
  capabilities: ListedModel['capabilities'];
  settings: AnswerSettings;
  onChange: (settings: AnswerSettings) => void;
}

const BY_DEFAULT = 'default';
const STEP = 0.1;

export function SettingsFields(props: SettingsProps): ReactElement {
  const { efforts, temperatures } = props.capabilities;
  return (
    <>
      {efforts.length > 0 && <Effort {...props} />}
      {temperatures !== undefined && <Temperature {...props} />}
    </>
  );
}

function Effort({ capabilities, settings, onChange }: SettingsProps): ReactElement {
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

function Temperature({ capabilities, settings, onChange }: SettingsProps): ReactElement {
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
