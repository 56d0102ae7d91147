// When a schedule starts its runs: a cron line, an interval or one moment, with the next five times below.
import { NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactElement } from 'react';
import { optionsOf } from '../runs/run-filters.tsx';
import { PAIR } from '../runs/run-fields.tsx';
import { NextTimes } from './next-times.tsx';
import type { Times } from './queries.ts';
import { type ScheduleValues, toTimes, validateTiming } from './schedule-values.ts';
import { describeCron, scheduleStrings as strings } from './strings.ts';

const ASK_AFTER_MS = 400;

export function TimingFields({ form }: { form: UseFormReturnType<ScheduleValues> }): ReactElement {
  const { timing, cron } = form.values;
  const isComplete = Object.keys(validateTiming(form.values)).length === 0 && (timing !== 'cron' || cron.trim() !== '');
  const [times] = useDebouncedValue(isComplete ? JSON.stringify(toTimes(form.values)) : '', ASK_AFTER_MS);
  return (
    <Stack gap="xs">
      <SimpleGrid {...PAIR}>
        <NativeSelect label={strings.timing} data={optionsOf(strings.timings)} {...form.getInputProps('timing')} />
        {timing === 'every' && (
          <TextInput label={strings.every} inputMode="numeric" required {...form.getInputProps('every')} />
        )}
        {timing === 'at' && (
          <TextInput label={strings.at} type="datetime-local" required {...form.getInputProps('at')} />
        )}
        {timing === 'cron' && (
          <TextInput label={strings.timezone} autoComplete="off" required {...form.getInputProps('timezone')} />
        )}
      </SimpleGrid>
      {timing === 'cron' && (
        <TextInput
          label={strings.cron}
          description={strings.cronHint}
          required
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('cron')}
        />
      )}
      {timing === 'cron' && (
        <Text size="sm" component="output">
          {describeCron(cron) ?? strings.noReading}
        </Text>
      )}
      {times !== '' && <NextTimes times={JSON.parse(times) as Times} />}
    </Stack>
  );
}
