// The fields of a saved prompt or a recipe, in place above the message. Not a form of its own: it stands in that of the
// composer.
import { Button, Group, Text, Textarea } from '@mantine/core';
import { type KeyboardEvent, type ReactElement, useEffect, useId, useRef, useState } from 'react';
import type { PromptVariable } from '../../../../src/contract/prompt-template.ts';
import { common } from '../../../kit/strings.ts';
import { commandStrings as strings } from '../strings.ts';

interface PromptVariablesProps {
  title: string;
  variables: readonly PromptVariable[];
  submit: string;
  /** Whether one without a default must be filled in. */
  required?: boolean;
  onFill: (values: Readonly<Record<string, string>>) => void;
  onCancel: () => void;
}

export function PromptVariables(props: PromptVariablesProps): ReactElement {
  const { title, variables, submit, required = false, onFill, onCancel } = props;
  const titleId = useId();
  const whole = useRef<HTMLFieldSetElement>(null);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(variables.map(({ name, byDefault }) => [name, byDefault ?? ''])),
  );
  const [tried, setTried] = useState(false);
  const isMissing = ({ name, byDefault }: PromptVariable): boolean =>
    required && byDefault === undefined && (values[name] ?? '').trim() === '';
  useEffect(() => {
    const first = whole.current?.querySelector('textarea');
    if (first) first.select();
    (first ?? whole.current?.querySelector<HTMLElement>('[data-submit]'))?.focus();
  }, []);
  const fill = (): void => {
    const missing = variables.findIndex(isMissing);
    if (missing < 0) return onFill(values);
    setTried(true);
    whole.current?.querySelectorAll('textarea')[missing]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || event.shiftKey) return;
    if (event.key === 'Enter' && event.target instanceof HTMLTextAreaElement) fill();
    else if (event.key === 'Escape') onCancel();
    else return;
    event.preventDefault();
    // Escape would also stop an answer.
    event.stopPropagation();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of the fields in it
    <fieldset ref={whole} aria-labelledby={titleId} className="prompt-variables" onKeyDown={onKeyDown}>
      <Text id={titleId} size="sm" fw={600}>
        {title}
      </Text>
      {variables.map((variable) => (
        <Textarea
          key={variable.name}
          size="sm"
          label={variable.name}
          required={required && variable.byDefault === undefined}
          error={tried && isMissing(variable) ? strings.fieldMissing(variable.name) : undefined}
          rows={1}
          autosize
          maxRows={6}
          value={values[variable.name] ?? ''}
          onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, [variable.name]: value }))}
        />
      ))}
      <Group gap="xs" justify="flex-end">
        <Button size="xs" variant="default" onClick={onCancel}>
          {common.cancel}
        </Button>
        <Button size="xs" data-submit onClick={fill}>
          {submit}
        </Button>
      </Group>
    </fieldset>
  );
}
