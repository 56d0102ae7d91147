import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactElement } from 'react';
import { onDemand } from '../../../kit/on-demand.tsx';
import type { RunView } from '../queries.ts';
import { recipeStrings as strings } from './strings.ts';

const RecipeDialog = onDemand(async () => (await import('./recipe-dialog.tsx')).RecipeDialog);

/** On the page of a run that worked. */
export function SaveRecipe({ run }: { run: RunView }): ReactElement | null {
  const [asking, { open, close }] = useDisclosure(false);
  if (run.status !== 'completed' || run.kind === 'control') return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        {strings.saveAs}
      </Button>
      {asking && <RecipeDialog workspace={{ id: run.workspace }} from={run} onClose={close} />}
    </>
  );
}
