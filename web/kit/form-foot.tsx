import { Button, Group } from '@mantine/core';
import type { ReactElement } from 'react';
import { common } from './strings.ts';
import { FormProblem } from './form-problem.tsx';

interface FormFootProps {
  problem: string | undefined;
  pending: boolean;
  submit: string;
  onCancel: () => void;
}

/** The footer of a form in a dialog: error, cancel and submit. */
export function FormFoot({ problem, pending, submit, onCancel }: FormFootProps): ReactElement {
  return (
    <>
      <FormProblem text={problem} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {common.cancel}
        </Button>
        <Button type="submit" loading={pending}>
          {submit}
        </Button>
      </Group>
    </>
  );
}
