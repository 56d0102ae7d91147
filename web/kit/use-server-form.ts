// A form whose values survive every refusal: what the server says about a field stands beside that field, anything
// else above the buttons, and nothing is cleared until the server has said yes.
import { type FormErrors, useForm, type UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import type { SubmitEvent } from 'react';
import { type Fault, readFault } from '../api/fault.ts';

interface ServerForm<Values extends Record<string, unknown>, Result> {
  initialValues: Values;
  validate?: { [Field in keyof Values]?: (value: Values[Field]) => string | null } | ((values: Values) => FormErrors);
  send: (values: Values) => Promise<Result>;
  onDone: (result: Result, values: Values) => unknown;
  /** Words for a refusal that means something particular in this form. */
  explain?: (fault: Fault) => string | undefined;
  /** Where in the form a field that the server named stands; without it, under the same name or nowhere. */
  fieldOf?: (field: string, values: Values) => string | undefined;
  /** The values hold a secret: once the server has it, nothing here keeps it. */
  isSecret?: boolean;
}

export interface ServerFormState<Values extends Record<string, unknown>> {
  readonly form: UseFormReturnType<Values>;
  readonly submit: (event?: SubmitEvent<HTMLFormElement>) => void;
  readonly pending: boolean;
  /** What went wrong with the form as a whole. */
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
