import '../runs.css';
import './recipes.css';
import { Box, Button, Group, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Recipe } from '../../../../src/contract/recipes/recipes.ts';
import type { Workspace } from '../../../../src/contract/workspaces.ts';
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx';
import { ListState, LoadFailure } from '../../../kit/list-state.tsx';
import { Icon } from '../../../kit/look/icons.tsx';
import { MoreRows, Rows } from '../../../kit/rows.tsx';
import { toastDone } from '../../../kit/toasts.tsx';
import { useCurrentWorkspace, useSignedIn } from '../../../session/organization-context.ts';
import { sessionStrings } from '../../../session/strings.ts';
import { RunsHead } from '../runs-head.tsx';
import { ImportRecipeDialog } from './import-recipe-dialog.tsx';
import { RecipeDialog } from './recipe-dialog.tsx';
import { RecipeRow, type RecipeAction } from './recipe-row.tsx';
import { recipeKeys, recipesQuery, removeRecipe } from './queries.ts';
import { StartRecipeDialog } from './start-recipe-dialog.tsx';
import { recipeStrings as strings } from './strings.ts';

const SEARCH_AFTER_MS = 250;

/** What is open over the page. */
type Opened = { readonly what: 'create' | 'import' } | { readonly what: RecipeAction; readonly recipe: Recipe };

/** The recipes of the current workspace. */
export function RecipesPage(): ReactElement {
  const { current, failure } = useCurrentWorkspace();
  const [opened, setOpened] = useState<Opened>();
  return (
    <>
      <RunsHead
        title={strings.title}
        description={current === undefined ? strings.descriptionAnywhere : strings.description(current.name)}
        actions={
          current !== undefined && (
            <Group gap="sm">
              <Button variant="default" onClick={() => setOpened({ what: 'import' })}>
                {strings.import}
              </Button>
              <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpened({ what: 'create' })}>
                {strings.create}
              </Button>
            </Group>
          )
        }
      />
      {failure !== undefined && (
        <Box mb="md">
          <LoadFailure {...failure} title={sessionStrings.workspacesFailed} />
        </Box>
      )}
      {current !== undefined && (
        <>
          <RecipeList key={current.id} workspace={current} onOpen={setOpened} />
          <OpenedDialog opened={opened} workspace={current} onClose={() => setOpened(undefined)} />
        </>
      )}
    </>
  );
}

function RecipeList({ workspace, onOpen }: { workspace: Workspace; onOpen: (opened: Opened) => void }): ReactElement {
  const { organization } = useSignedIn();
  const [search, setSearch] = useState('');
  const [sought] = useDebouncedValue(search.trim(), SEARCH_AFTER_MS);
  const place = { organization: organization.id, workspace: workspace.id };
  const query = useInfiniteQuery({ ...recipesQuery(place, sought), placeholderData: (before) => before });
  const recipes = query.data?.pages.flatMap((page) => page.recipes) ?? [];
  const isEmpty = recipes.length === 0;
  return (
    <>
      {(!isEmpty || sought !== '') && (
        <TextInput
          type="search"
          mb="md"
          maw="24rem"
          aria-label={strings.search}
          placeholder={strings.search}
          leftSection={<Icon name="search" size={16} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ListState
        query={query}
        isEmpty={isEmpty}
        failed={strings.failed}
        empty={
          sought === ''
            ? { icon: 'run', title: strings.empty, text: strings.emptyText }
            : { icon: 'search', title: strings.noMatch, text: strings.noMatchText }
        }
      >
        <Rows label={strings.list}>
          {recipes.map((recipe) => (
            <RecipeRow key={recipe.id} recipe={recipe} onOpen={(what) => onOpen({ what, recipe })} />
          ))}
        </Rows>
        <MoreRows query={query} />
      </ListState>
    </>
  );
}

interface OpenedDialogProps {
  opened: Opened | undefined;
  workspace: Workspace;
  onClose: () => void;
}

function OpenedDialog({ opened, workspace, onClose }: OpenedDialogProps): ReactElement | null {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  if (opened === undefined) return null;
  if (!('recipe' in opened))
    return opened.what === 'create' ? (
      <RecipeDialog workspace={workspace} onClose={onClose} />
    ) : (
      <ImportRecipeDialog workspace={workspace} onClose={onClose} />
    );
  const { what, recipe } = opened;
  if (what === 'start') return <StartRecipeDialog recipe={recipe} onClose={onClose} />;
  if (what === 'edit') return <RecipeDialog workspace={workspace} recipe={recipe} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={strings.deleteTitle(recipe.name)}
      text={strings.deleteText}
      confirm={strings.delete}
      act={() => removeRecipe(organization.id, recipe.id)}
      onClose={onClose}
      onDone={async () => {
        onClose();
        toastDone(strings.deleted);
        await queryClient.invalidateQueries({ queryKey: recipeKeys.all });
      }}
    />
  );
}
