// A form that keeps its values when the server refuses them: field errors are shown at their fields, others above the
// buttons, and nothing is cleared before the server accepts.
import { type FormErrors, useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { type Fault, readFault } from '../api/fault.ts';

interface ServerForm<Values extends Record<string, unknown>, Result> {
  initialValues: Values;
  validate?: { [Field in keyof Values]?: (value: Values[Field]) => string | null } | ((values: Values) => FormErrors);
  send: (values: Values) => Promise<Result>;
  onDone: (result: Result, values: Values) => unknown;
  /** Messages for errors with a special meaning in this form. */
  explain?: (fault: Fault) => string | undefined;
  /** Maps a field of the server to a field of the form; by default the same name, if it exists. */
  fieldOf?: (field: string, values: Values) => string | undefined;
  /** The values are secret: they are cleared once the server has them. */
  isSecret?: boolean;
}

export interface ServerFormState<Values extends Record<string, unknown>> {
  readonly form: UseFormReturnType<Values>;
  readonly submit: (event?: SubmitEvent<HTMLFormElement>) => void;
  readonly pending: boolean;
  /** The error of the form as a whole. */
  readonly problem: string | undefined;
  readonly reset: () => void;
}

export function useServerForm<Values extends Record<string, unknown>, Result>({
  initialValues,
  validate,
  send,
  onDone,
  explain,
  fieldOf,
  isSecret = false,
}: ServerForm<Values, Result>): ServerFormState<Values> {
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues,
    ...(validate === undefined ? {} : { validate: validate as never }),
  });
  const focusFirst = (errors: FormErrors): void => {
    const first = Object.keys(errors)[0];
    if (first !== undefined) form.getInputNode(first)?.focus();
  };
  const ownFields = (error: unknown): Record<string, string> =>
    Object.fromEntries(
      Object.entries(readFault(error).fields).flatMap(([field, fault]) => {
        const own =
          fieldOf === undefined ? (field in initialValues ? field : undefined) : fieldOf(field, form.getValues());
        return own === undefined ? [] : [[own, fault]];
      }),
    );
  const mutation = useMutation({
    mutationFn: send,
    ...(isSecret ? { gcTime: 0 } : {}),
    onSuccess: async (result, values) => {
      if (isSecret) form.reset();
      await onDone(result, values);
      if (isSecret) mutation.reset();
    },
    onError: (error) => {
      const errors = ownFields(error);
      form.setErrors(errors);
      focusFirst(errors);
    },
  });
  const fault =
    mutation.error === null || Object.keys(ownFields(mutation.error)).length > 0
      ? undefined
      : readFault(mutation.error);
  return {
    form,
    problem: fault && (explain?.(fault) ?? fault.text),
    pending: mutation.isPending,
    submit: form.onSubmit((values) => {
      if (!mutation.isPending) mutation.mutate(values);
    }, focusFirst),
    reset: () => {
      mutation.reset();
      form.reset();
    },
  };
}
