import { Checkbox, NumberInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactElement } from 'react';
import type { ConfigField } from './config-draft.ts';

interface ConfigFieldsProps {
  fields: readonly ConfigField[];
  /** The path of the draft in the form values; field `x` is at `<path>.x`. */
  path: string;
  form: Pick<UseFormReturnType<never>, 'getInputProps'>;
}

export function ConfigFields({ fields, path, form }: ConfigFieldsProps): ReactElement {
  return (
    <>
      {fields.map((field) => (
        <ConfigControl key={field.name} field={field} path={`${path}.${field.name}`} form={form} />
      ))}
    </>
  );
}

function ConfigControl({
  field,
  path,
  form,
}: {
  field: ConfigField;
  path: string;
  form: ConfigFieldsProps['form'];
}): ReactElement {
  const common = { label: field.label, ...(field.hint === undefined ? {} : { description: field.hint }) };
  const input = { ...common, ...form.getInputProps(path as never) };
  switch (field.control) {
    case 'text':
      return <TextInput autoComplete="off" spellCheck={false} {...input} />;
    case 'number':
      return (
        <NumberInput
          min={field.min}
          max={field.max}
          allowDecimal={false}
          clampBehavior="strict"
          hideControls
          maw="18rem"
          {...input}
        />
      );
    case 'switch':
      return <Switch {...common} {...form.getInputProps(path as never, { type: 'checkbox' })} />;
    case 'choice':
      return <Select data={optionsOf(field.options)} maw="18rem" {...input} />;
    case 'checks':
      return (
        <Checkbox.Group {...input}>
          <Stack gap="xs" mt="xs">
            {optionsOf(field.options).map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Stack>
        </Checkbox.Group>
      );
    case 'lines':
    case 'topics':
      return <Textarea autosize minRows={2} maxRows={10} {...input} />;
    case 'json':
      return (
        <Textarea
          autosize
          minRows={4}
          maxRows={18}
          spellCheck={false}
          ff="monospace"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...input}
        />
      );
  }
}

function optionsOf(options: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(options).map(([value, label]) => ({ value, label }));
}
