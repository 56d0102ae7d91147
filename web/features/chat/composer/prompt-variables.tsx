// The variables of a saved prompt, in place above the message. Not a form of its own: it stands in that of the composer.
import { Button, Group, Text, Textarea } from '@mantine/core';
import { type KeyboardEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react';
import { findVariables } from '../../../../src/contract/prompt-template.ts';
import { common } from '../../../kit/strings.ts';
import { commandStrings as strings } from '../strings.ts';
import type { Filling } from './use-commands.ts';

interface PromptVariablesProps {
  filling: Filling;
  onFill: (values: Readonly<Record<string, string>>) => void;
  onCancel: () => void;
}

export function PromptVariables({ filling: { prompt }, onFill, onCancel }: PromptVariablesProps): ReactElement {
  const title = useId();
  const first = useRef<HTMLTextAreaElement>(null);
  const variables = findVariables(prompt.text);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(variables.map(({ name, byDefault }) => [name, byDefault ?? ''])),
  );
  useEffect(() => {
    first.current?.focus();
    first.current?.select();
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || event.shiftKey) return;
    if (event.key === 'Enter' && event.target instanceof HTMLTextAreaElement) onFill(values);
    else if (event.key === 'Escape') onCancel();
    else return;
    event.preventDefault();
    // Escape would also stop an answer.
    event.stopPropagation();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of the fields in it
    <fieldset aria-labelledby={title} className="prompt-variables" onKeyDown={onKeyDown}>
      <Text id={title} size="sm" fw={600}>
        {strings.fill(prompt.name)}
      </Text>
      {variables.map(({ name }, index) => (
        <Textarea
          key={name}
          ref={index === 0 ? first : null}
          size="sm"
          label={name}
          rows={1}
          autosize
          maxRows={6}
          value={values[name] ?? ''}
          onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, [name]: value }))}
        />
      ))}
      <Group gap="xs" justify="flex-end">
        <Button size="xs" variant="default" onClick={onCancel}>
          {common.cancel}
        </Button>
        <Button size="xs" onClick={() => onFill(values)}>
          {strings.insert}
        </Button>
      </Group>
    </fieldset>
  );
}
