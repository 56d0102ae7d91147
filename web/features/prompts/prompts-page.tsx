import './prompts.css';
import { Badge, Button, Group, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Prompt } from '../../../src/contract/prompts.ts';
import { api, client } from '../../api/client.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { PromptDialog } from './prompt-dialog.tsx';
import { promptsQuery } from './queries.ts';
import { promptStrings as strings } from './strings.ts';

const SEARCH_AFTER_MS = 250;

/** What is open over the page. */
type Opened =
  | { readonly what: 'create'; readonly from?: { readonly name: string; readonly text: string } }
  | { readonly what: 'edit' | 'delete'; readonly prompt: Prompt };

export function PromptsPage(): ReactElement {
  const { organization } = useSignedIn();
  const [search, setSearch] = useState('');
  const [sought] = useDebouncedValue(search.trim(), SEARCH_AFTER_MS);
  const [opened, setOpened] = useState<Opened>();
  const query = useInfiniteQuery({ ...promptsQuery(organization.id, sought), placeholderData: (before) => before });
  const prompts = query.data?.pages.flatMap((page) => page.prompts) ?? [];
  const isEmpty = prompts.length === 0;
  return (
    <>
      <PageHeader
        title={strings.title}
        description={strings.description}
        actions={
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setOpened({ what: 'create' })}>
            {strings.create}
          </Button>
        }
      />
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
            ? {
                icon: 'prompt',
                title: strings.empty,
                text: strings.emptyText,
                action: (
                  <Button variant="default" onClick={() => setOpened({ what: 'create', from: strings.example })}>
                    {strings.tryExample}
                  </Button>
                ),
              }
            : { icon: 'search', title: strings.noMatch, text: strings.noMatchText }
        }
      >
        <Rows label={strings.list}>
          {prompts.map((prompt) => (
            <PromptRow key={prompt.id} prompt={prompt} onOpen={(what) => setOpened({ what, prompt })} />
          ))}
        </Rows>
        <MoreRows query={query} />
      </ListState>
      <OpenedDialog opened={opened} onClose={() => setOpened(undefined)} />
    </>
  );
}

function PromptRow({ prompt, onOpen }: { prompt: Prompt; onOpen: (what: 'edit' | 'delete') => void }): ReactElement {
  const { user } = useSignedIn();
  const { name, text, workspace, createdBy, editable } = prompt;
  return (
    <Row
      title={
        <Group gap="xs">
          <bdi>/{name}</bdi>
          {workspace !== undefined && <Badge variant="default">{strings.sharedIn(workspace.name)}</Badge>}
        </Group>
      }
      text={
        <>
          <span className="prompt-text" dir="auto">
            {text}
          </span>
          {createdBy.id !== user.id && <span>{strings.by(createdBy.name)}</span>}
        </>
      }
      aside={
        editable && (
          <>
            <Button variant="default" size="xs" onClick={() => onOpen('edit')}>
              {strings.edit}
              <VisuallyHidden> /{name}</VisuallyHidden>
            </Button>
            <Button variant="subtle" color="red" size="xs" onClick={() => onOpen('delete')}>
              {strings.delete}
              <VisuallyHidden> /{name}</VisuallyHidden>
            </Button>
          </>
        )
      }
    />
  );
}

function OpenedDialog({ opened, onClose }: { opened: Opened | undefined; onClose: () => void }): ReactElement | null {
  const queryClient = useQueryClient();
  if (opened === undefined) return null;
  if (opened.what === 'create')
    return <PromptDialog {...(opened.from === undefined ? {} : { from: opened.from })} onClose={onClose} />;
  const { what, prompt } = opened;
  if (what === 'edit') return <PromptDialog prompt={prompt} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={strings.deleteTitle(prompt.name)}
      text={prompt.workspace === undefined ? strings.deleteOwn : strings.deleteShared(prompt.workspace.name)}
      confirm={strings.delete}
      act={() => client.prompts.remove({ prompt: prompt.id })}
      onClose={onClose}
      onDone={async () => {
        onClose();
        toastDone(strings.deleted);
        await queryClient.invalidateQueries({ queryKey: api.prompts.key() });
      }}
    />
  );
}
