import { Button, Card, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { ListedModel } from '../../../../src/contract/models.ts';
import type { Workspace } from '../../../../src/contract/workspaces.ts';
import { modelsQuery } from '../../models-and-keys/queries.ts';
import { api } from '../../../api/client.ts';
import { CLIENT_SCOPES } from './client-configs.ts';
import { chatAddress, CHAT_CLIENT_IDS, CHAT_CLIENTS, chatSnippetsFor } from './chat-clients.ts';
import { CodeBlock } from '../../../kit/code-block.tsx';
import { CopyField } from '../../../kit/copy-field.tsx';
import { ListState } from '../../../kit/list-state.tsx';
import { chatClientStrings as strings } from './chat-client-strings.ts';
import { CreateTokenDialog } from '../create-token-dialog.tsx';

const route = getRouteApi('/signed/app/workspaces/$slug/mcp-gateway');

/** Setup instructions for clients of the chat API, for this person and workspace. */
export function ChatClients({ workspace }: { workspace: Workspace }): ReactElement {
  const query = useQuery(modelsQuery({ organization: workspace.organization, workspace: workspace.id }));
  const models = (query.data?.models ?? []).filter(({ allowed }) => allowed);
  return (
    <section aria-labelledby="use-it-with">
      <Title order={2} id="use-it-with">
        {strings.title}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {strings.text(workspace.name)}
      </Text>
      <ListState
        query={query}
        isEmpty={models.length === 0}
        empty={{ icon: 'chat', title: strings.noModel, text: strings.noModelText }}
      >
        <ChatClientSetup workspace={workspace} models={models} />
      </ListState>
    </section>
  );
}

function ChatClientSetup({
  workspace,
  models,
}: {
  workspace: Workspace;
  models: readonly ListedModel[];
}): ReactElement {
  const { with: asked } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const client = CHAT_CLIENT_IDS.find((id) => id === asked) ?? 'claude-code';
  const [chosen, setChosen] = useState<string>();
  const [token, setToken] = useState<string>();
  const [creating, { open, close }] = useDisclosure(false);
  const model = models.find(({ id }) => id === chosen) ?? models[0];
  const { origin } = window.location;
  if (model === undefined) return <></>;
  return (
    <Card>
      <Stack gap="lg">
        <CopyField label={strings.address} description={strings.addressText} value={chatAddress(origin)} />
        <Group gap="md" align="flex-end">
          <Select
            flex="1 1 14rem"
            maw="24rem"
            label={strings.client}
            data={CHAT_CLIENT_IDS.map((value) => ({ value, label: CHAT_CLIENTS[value].name }))}
            value={client}
            allowDeselect={false}
            onChange={(value) =>
              value !== null && void navigate({ search: (before) => ({ ...before, with: value }), replace: true })
            }
          />
          <Select
            flex="1 1 14rem"
            maw="24rem"
            label={strings.model}
            searchable
            data={models.map(({ id, name }) => ({ value: id, label: name }))}
            value={model.id}
            allowDeselect={false}
            onChange={(value) => value !== null && setChosen(value)}
          />
          <Button variant="default" onClick={open}>
            {strings.makeToken}
          </Button>
        </Group>
        <Text component="output" size="sm" c="dimmed">
          {token === undefined ? strings.tokenMissing : strings.tokenMade}
        </Text>
        {chatSnippetsFor(client, {
          origin,
          token,
          model: model.id,
          contextWindow: model.contextWindow,
          maxOutputTokens: model.maxOutputTokens,
        }).map(({ title, text }) => (
          <CodeBlock key={title} title={title} text={text} />
        ))}
        <Text size="sm" c="dimmed">
          {strings.notes[client]} {workspace.kind === 'default' ? '' : strings.reach(workspace.slug)}
        </Text>
      </Stack>
      {creating && (
        <CreateTokenDialog
          workspace={workspace}
          begin={{ name: CHAT_CLIENTS[client].name, scopes: [...CLIENT_SCOPES] }}
          onClose={close}
          onCreated={(made) => {
            setToken(made);
            void queryClient.invalidateQueries({ queryKey: api.tokens.key() });
          }}
        />
      )}
    </Card>
  );
}
