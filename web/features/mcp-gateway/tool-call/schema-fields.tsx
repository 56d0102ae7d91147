import { Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { ReactElement } from 'react';
import { tryStrings as strings } from './strings.ts';
import type { ArgumentsDraft } from './draft-arguments.ts';
import { type Field, fieldId } from './read-schema.ts';

interface SchemaFieldsProps {
  fields: readonly Field[];
  draft: ArgumentsDraft;
  faults: Readonly<Record<string, string>>;
  onChange: (id: string, text: string) => void;
}

export function SchemaFields({ fields, ...rest }: SchemaFieldsProps): ReactElement {
  return (
    <Stack gap="md">
      {fields.map((field) =>
        field.kind === 'group' ? (
          <fieldset key={fieldId(field)} className="schema-group">
            <legend className="tool-name">{field.name}</legend>
            <SchemaFields fields={field.fields} {...rest} />
          </fieldset>
        ) : (
          <SchemaField
            key={fieldId(field)}
            field={field}
            text={rest.draft[fieldId(field)] ?? ''}
            fault={rest.faults[fieldId(field)]}
            onChange={(text) => rest.onChange(fieldId(field), text)}
          />
        ),
      )}
    </Stack>
  );
}

interface SchemaFieldProps {
  field: Exclude<Field, { kind: 'group' }>;
  text: string;
  fault: string | undefined;
  onChange: (text: string) => void;
}

function SchemaField({ field, text, fault, onChange }: SchemaFieldProps): ReactElement {
  const hint = field.kind === 'list' ? strings.listHint : field.kind === 'json' ? strings.jsonHint : undefined;
  const common = {
    label: field.name,
    description: [field.description, hint].filter((part) => part !== undefined).join(' ') || undefined,
    error: fault,
    withAsterisk: field.required,
  };
  const typed = {
    ...common,
    value: text,
    placeholder: field.example,
    autoComplete: 'off',
    spellCheck: field.kind === 'text',
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (field.kind === 'flag' || field.kind === 'choice') {
    return <Select {...common} data={choicesOf(field)} value={text} onChange={(value) => onChange(value ?? '')} />;
  }
  if (field.kind === 'number') return <TextInput {...typed} inputMode={field.whole ? 'numeric' : 'decimal'} />;
  if (field.kind === 'text' && !field.long) return <TextInput {...typed} />;
  return (
    <Textarea
      {...typed}
      autosize
      minRows={field.kind === 'list' ? 2 : 3}
      maxRows={12}
      {...(field.kind === 'json' ? { classNames: { input: 'mono-input' } } : {})}
    />
  );
}

/** Values are JSON; labels are plain text. */
function choicesOf(field: Extract<Field, { kind: 'flag' | 'choice' }>): { value: string; label: string }[] {
  const choices =
    field.kind === 'flag'
      ? [
          { value: 'true', label: strings.yes },
          { value: 'false', label: strings.no },
        ]
      : field.choices.map((value) => ({ value, label: plain(value) }));
  return [{ value: '', label: strings.notSet }, ...choices];
}

function plain(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
}
