// Saves a recipe from a file, and says what it needs that is not here.
import { Alert, Button, FileButton, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useRef, useState } from 'react';
import { RECIPE_LIMITS } from '../../../../src/contract/recipes/fill-recipe.ts';
import type { Workspace } from '../../../../src/contract/workspaces.ts';
import { Dialog } from '../../../kit/dialog.tsx';
import { FormFoot } from '../../../kit/form-foot.tsx';
import { Icon } from '../../../kit/look/icons.tsx';
import { toastDone } from '../../../kit/toasts.tsx';
import { useServerForm } from '../../../kit/use-server-form.ts';
import { useSignedIn } from '../../../session/organization-context.ts';
import { type Imported, importRecipe, type RecipeImport, recipeKeys } from './queries.ts';
import { recipeStrings as strings, unknownTexts } from './strings.ts';

interface ImportRecipeProps {
  workspace: Pick<Workspace, 'id'>;
  onClose: () => void;
}

export function ImportRecipeDialog({ workspace, onClose }: ImportRecipeProps): ReactElement {
  const [imported, setImported] = useState<Imported>();
  return (
    <Dialog onClose={onClose} title={strings.importTitle}>
      {imported === undefined ? (
        <ImportForm workspace={workspace} onClose={onClose} onReport={setImported} />
      ) : (
        <Report imported={imported} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Where the fields of the file are in the request. */
const IN_FILE = 'recipe.';

type ImportValues = { file: File | null; name: string };

interface ImportFormProps extends ImportRecipeProps {
  /** For one that needs more than is here. */
  onReport: (imported: Imported) => void;
}

function ImportForm({ workspace, onClose, onReport }: ImportFormProps): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const { form, submit, pending, problem } = useServerForm<ImportValues, Imported>({
    initialValues: { file: null, name: '' },
    validate: {
      file: (value) =>
        value === null ? strings.fileNeeded : value.size > RECIPE_LIMITS.file ? strings.fileTooLarge : null,
    },
    send: async ({ file, name }) =>
      importRecipe(organization.id, {
        recipe: parseFile((await file?.text()) ?? ''),
        workspace: workspace.id,
        ...(name.trim() === '' ? {} : { name: name.trim() }),
      }),
    onDone: async (imported) => {
      toastDone(strings.imported(imported.recipe.name));
      if (imported.unknown.length > 0) onReport(imported);
      else onClose();
      await queryClient.invalidateQueries({ queryKey: recipeKeys.all });
    },
    explain: ({ code, fields }) => {
      if (code === 'recipe_name_taken') return strings.nameTaken;
      const faults = Object.entries(fields).flatMap(([at, fault]) =>
        at === 'recipe' || at.startsWith(IN_FILE) ? [`${at.slice(IN_FILE.length)} ${fault}`.trim()] : [],
      );
      return faults.length === 0 ? undefined : strings.fileFaults(faults.join('; '));
    },
  });
  const { file } = form.values;
  const reset = useRef<() => void>(null);
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">{strings.importText}</Text>
        <Group gap="sm">
          <FileButton
            accept="application/json,.json"
            resetRef={reset}
            onChange={(chosen) => {
              // The same file can be chosen again once it was changed.
              reset.current?.();
              form.clearFieldError('file');
              form.setFieldValue('file', chosen);
            }}
            inputProps={{ 'aria-label': strings.choose }}
          >
            {(props) => (
              <Button {...props} data-autofocus variant="default" leftSection={<Icon name="file" size={16} />}>
                {strings.choose}
              </Button>
            )}
          </FileButton>
          <Text size="sm" component="output" className="recipe-file">
            {file === null ? '' : strings.chosen(file.name)}
          </Text>
        </Group>
        <div role="alert">
          {form.errors['file'] !== undefined && (
            <Text size="sm" c="var(--mantine-color-error)">
              {form.errors['file']}
            </Text>
          )}
        </div>
        <TextInput
          label={strings.name}
          description={strings.nameText}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={48}
          {...form.getInputProps('name')}
        />
        <FormFoot problem={problem} pending={pending} submit={strings.importSubmit} onCancel={onClose} />
      </Stack>
    </form>
  );
}

/** What is no JSON is sent as text, which the server refuses. */
function parseFile(text: string): RecipeImport['recipe'] {
  try {
    return JSON.parse(text) as RecipeImport['recipe'];
  } catch {
    return text as unknown as RecipeImport['recipe'];
  }
}

function Report({ imported: { recipe, unknown }, onClose }: { imported: Imported; onClose: () => void }): ReactElement {
  return (
    <Stack>
      <Alert color="yellow" icon={<Icon name="alert" />} title={strings.unknown}>
        <Text size="sm" mb="xs">
          {strings.imported(recipe.name)} {strings.unknownText}
        </Text>
        <List size="sm">
          {unknown.map(({ code, name }) => (
            <List.Item key={`${code} ${name}`}>{unknownTexts[code](name)}</List.Item>
          ))}
        </List>
      </Alert>
      <Group justify="flex-end">
        <Button data-autofocus onClick={onClose}>
          {strings.close}
        </Button>
      </Group>
    </Stack>
  );
}
