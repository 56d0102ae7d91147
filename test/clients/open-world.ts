// Two real stacks from the built bundles: one before the stand-in of both providers, with a person for each credential;
// one as `npm start` makes it, with the demo models.
import { type Brain, startBrain } from './brain/start-brain.ts';
import { signUp, type SignedIn } from '../support/http-client.ts';
import { startStack } from '../support/stack/stack.ts';

export const PROVIDERS = ['openai', 'anthropic'] as const;
export type Provider = (typeof PROVIDERS)[number];
export const CREDENTIALS = ['platform', 'own-key', 'models-account', 'demo'] as const;
export type Credential = (typeof CREDENTIALS)[number];

export const MODELS: Readonly<Record<Provider, string>> = {
  openai: 'openai/gpt-5-mini',
  anthropic: 'anthropic/claude-sonnet-5',
};

const ACCOUNT_KEY = 'sk-account-of-the-workspace';
const PLATFORM = { openai: 'sk-platform-openai', anthropic: 'sk-ant-platform' } as const;
const OWN = { openai: 'sk-own-openai', anthropic: 'sk-ant-own' } as const;

/** The key that has to arrive at the provider. Undefined for the demo models, which do not check it. */
export function expectedKey(provider: Provider, credential: Credential): string | undefined {
  return { platform: PLATFORM[provider], 'own-key': OWN[provider], 'models-account': ACCOUNT_KEY, demo: undefined }[
    credential
  ];
}

export interface World {
  readonly brain: Brain;
  readonly access: Readonly<Record<Credential, { readonly origin: string; readonly token: string }>>;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const brain = await startBrain();
  // People do not send requests that fast.
  const limits = { SERVICE_CHAT_REQUESTS_PER_MINUTE: '10000' };
  const environment = {
    ...limits,
    OPENAI_API_URL: brain.url,
    ANTHROPIC_API_URL: brain.url,
    OPENAI_API_KEY: PLATFORM.openai,
    ANTHROPIC_API_KEY: PLATFORM.anthropic,
  };
  const [stack, demo] = await Promise.all([startStack({ environment }), startStack({ environment: limits })]);

  async function enter(
    url: string,
    name: string,
    prepare?: (person: SignedIn, organization: string, workspace: string) => Promise<void>,
  ): Promise<{ origin: string; token: string }> {
    const person = await signUp(url, name);
    const made = succeed(await person.post('/api/organizations', { name }));
    const [organization, workspace] = [made.organization.id as string, made.workspaces.default.id as string];
    await prepare?.(person, organization, workspace);
    const { token } = succeed(
      await person.post('/api/tokens', {
        name: 'clients',
        organization,
        workspace,
        scopes: ['chat', 'connect:read', 'connect:write'],
        expiresIn: '1d',
      }),
    );
    return { origin: url, token: token as string };
  }

  const access = {
    platform: await enter(stack.url, 'Platform'),
    'own-key': await enter(stack.url, 'Own', async (person, organization, workspace) => {
      for (const provider of PROVIDERS) {
        for (const scope of [{ organization, workspace: 'global' }, { workspace }])
          succeed(await person.send('PUT', `/api/provider-keys/${provider}`, { ...scope, key: OWN[provider] }));
      }
    }),
    'models-account': await enter(stack.url, 'Account', async (person, _, workspace) => {
      succeed(
        await person.send('PUT', `/api/workspaces/${workspace}/models-account`, {
          baseUrl: brain.accountUrl,
          key: ACCOUNT_KEY,
          models: ['*gpt-5-mini', '*claude-sonnet-5'],
        }),
      );
    }),
    demo: await enter(demo.url, 'Demo'),
  };
  return {
    brain,
    access,
    async close() {
      await Promise.all([stack.stop(), demo.stop()]);
      await brain.stop();
    },
  };
}

function succeed({ status, body }: Awaited<ReturnType<SignedIn['get']>>): Awaited<ReturnType<SignedIn['get']>>['body'] {
  if (status >= 300) throw new Error(`the stack answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
