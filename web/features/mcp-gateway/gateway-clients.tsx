import { Button, Card, Group, Input, SegmentedControl, Select, Stack, Switch, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { Workspace } from '../../../src/contract/workspaces.ts';
import { api } from '../../api/client.ts';
import {
  CLIENT_IDS,
  CLIENT_SCOPES,
  type ClientId,
  type ClientOptions,
  CLIENTS,
  mcpAddress,
  noteFor,
  signText,
  snippetsFor,
} from './clients/client-configs.ts';
import { CodeBlock } from '../../kit/code-block.tsx';
import { CopyField } from '../../kit/copy-field.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { clientStrings as strings } from './clients/client-strings.ts';
import { ChatClients } from './clients/chat-client-setup.tsx';
import { CreateTokenDialog } from './create-token-dialog.tsx';
import { GatewayGrants } from './gateway-grants.tsx';

const route = getRouteApi('/signed/app/workspaces/$slug/mcp-gateway');

/** Setup for chat API and MCP clients, and the approved MCP clients. */
export function GatewayClients({ workspace }: { workspace: Workspace }): ReactElement {
  return (
    <Stack gap="xl">
      <ChatClients workspace={workspace} />
      <ClientSetup workspace={workspace} />
      <GatewayGrants workspace={workspace} />
    </Stack>
  );
}

function ClientSetup({ workspace }: { workspace: Workspace }): ReactElement {
  const { client: asked } = route.useSearch();
  const navigate = route.useNavigate();
  const client = CLIENT_IDS.find((id) => id === asked) ?? 'claude-code';
  const [chosen, setSign] = useState<ClientOptions['sign']>('oauth');
  const [search, setSearch] = useState(false);
  const sign = CLIENTS[client].oauth ? chosen : 'token';
  const options: ClientOptions = {
    origin: window.location.origin,
    workspace: workspace.kind === 'default' ? undefined : workspace.slug,
    search,
    sign,
  };
  return (
    <section aria-labelledby="clients">
      <Title order={2} id="clients">
        {strings.title}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {strings.text(workspace.name)}
      </Text>
      <Card>
        <Stack gap="lg">
          <CopyField label={strings.address} value={mcpAddress(options)} />
          <Switch
            label={strings.search}
            description={strings.searchText}
            checked={search}
            onChange={(event) => setSearch(event.currentTarget.checked)}
          />
          <Select
            label={strings.client}
            data={CLIENT_IDS.map((value) => ({ value, label: CLIENTS[value].name }))}
            value={client}
            onChange={(value) =>
              value !== null && void navigate({ search: (before) => ({ ...before, client: value }), replace: true })
            }
            maw="24rem"
          />
          <SignIn workspace={workspace} client={client} sign={sign} onSign={setSign} />
          <Snippets client={client} options={options} />
        </Stack>
      </Card>
    </section>
  );
}

interface SignInProps {
  workspace: Workspace;
  client: ClientId;
  sign: ClientOptions['sign'];
  onSign: (sign: ClientOptions['sign']) => void;
}

/** How the client signs in; a token can be created here. */
function SignIn({ workspace, client, sign, onSign }: SignInProps): ReactElement {
  const queryClient = useQueryClient();
  const [creating, { open, close }] = useDisclosure(false);
  const { oauth } = CLIENTS[client];
  return (
    <div>
      <Input.Label component="div">{strings.sign}</Input.Label>
      <Group gap="sm">
        <SegmentedControl
          aria-label={strings.sign}
          disabled={!oauth}
          data={(['oauth', 'token'] as const).map((value) => ({ value, label: strings.signs[value] }))}
          value={sign}
          onChange={(value) => onSign(value)}
        />
        {sign === 'token' && (
          <>
            <Button variant="default" onClick={open}>
              {strings.newToken}
            </Button>
            <AnchorLink
              to="/workspaces/$slug/mcp-gateway"
              params={{ slug: workspace.slug }}
              search={{ tab: 'tokens' }}
              size="sm"
            >
              {strings.allTokens}
            </AnchorLink>
          </>
        )}
      </Group>
      <Text size="sm" c="dimmed" mt={6}>
        {!oauth && `${strings.noOauth} `}
        {signText(client, sign)}
      </Text>
      {creating && (
        <CreateTokenDialog
          workspace={workspace}
          begin={{ name: CLIENTS[client].name, scopes: [...CLIENT_SCOPES] }}
          onClose={close}
          onCreated={() => void queryClient.invalidateQueries({ queryKey: api.tokens.key() })}
        />
      )}
    </div>
  );
}

function Snippets({ client, options }: { client: ClientId; options: ClientOptions }): ReactElement {
  return (
    <Stack gap="md">
      {snippetsFor(client, options).map(({ title, text }) => (
        <CodeBlock key={title} title={title} text={text} />
      ))}
      <Text size="sm" c="dimmed">
        {noteFor(client, options.sign)}
      </Text>
    </Stack>
  );
}
