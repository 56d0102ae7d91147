import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { providerHref } from '../../api/identity.ts';
import { identity } from './identity-strings.ts';

/** A link, because the server leads the browser from there on. */
export function ContinueWithProvider({ name, next }: { name: string; next: string | undefined }): ReactElement {
  return (
    <Button component="a" href={providerHref(next)} size="md">
      {identity.signIn.provider(name)}
    </Button>
  );
}
