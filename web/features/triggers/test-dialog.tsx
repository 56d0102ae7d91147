import { Alert, Code, List, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { FormFoot } from '../../kit/form-foot.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { type TestedDelivery, testTrigger, type TriggerView } from './queries.ts';
import { triggerStrings as strings } from './strings.ts';

/** What a payload would start. */
export function TestDialog({ trigger, onClose }: { trigger: TriggerView; onClose: () => void }): ReactElement {
  const { organization } = useSignedIn();
  const [tested, setTested] = useState<TestedDelivery>();
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { payload: '{}', event: '' },
    validate: { payload: (value) => (isJson(value) ? null : strings.payloadInvalid) },
    send: ({ payload, event }) =>
      testTrigger(organization.id, {
        id: trigger.id,
        payload: JSON.parse(payload) as unknown,
        ...(event.trim() === '' ? {} : { event: event.trim() }),
      }),
    onDone: setTested,
  });
  return (
    <Dialog onClose={onClose} title={strings.testTitle} size="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{strings.testText}</Text>
          <Textarea
            data-autofocus
            label={strings.payload}
            autosize
            minRows={4}
            maxRows={14}
            spellCheck={false}
            {...form.getInputProps('payload')}
          />
          <TextInput
            label={strings.event}
            description={strings.eventHint}
            maxLength={200}
            autoComplete="off"
            {...form.getInputProps('event')}
          />
          <div aria-live="polite">{tested !== undefined && <Tested tested={tested} />}</div>
          <FormFoot problem={problem} pending={pending} submit={strings.tryIt} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}

function Tested({ tested: { passes, filter, objective } }: { tested: TestedDelivery }): ReactElement {
  return (
    <Alert
      color={passes ? 'pine' : 'yellow'}
      icon={<Icon name={passes ? 'check' : 'alert'} />}
      title={passes ? strings.passes : strings.keptOut}
    >
      <Stack gap="xs">
        {filter.length > 0 && (
          <List size="sm">
            {filter.map(({ path, holds }, at) => (
              <List.Item key={at}>{`${holds ? '✓' : '✗'} ${path}`}</List.Item>
            ))}
          </List>
        )}
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {objective}
        </Code>
      </Stack>
    </Alert>
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
