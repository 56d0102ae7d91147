import { expect, it } from 'vitest';
import type { ClientAccount } from './accounts.ts';
import { describeClients } from './describe-clients.ts';

const account = (client: ClientAccount['client'], provider: string, profile: string): ClientAccount => ({
  client,
  profile,
  isDefault: profile === 'service',
  label: provider,
  connection: { provider } as ClientAccount['connection'],
});

it('tells the model which clients have which accounts, and nothing when there are none', () => {
  expect(describeClients([])).toEqual({});
  const { about = '' } = describeClients([
    account('aws', 'aws', 'service'),
    account('aws', 'aws', 'service-work'),
    account('git', 'github', 'service'),
  ]);
  expect(about.split('\n').slice(1)).toEqual([
    '- aws, with the profiles service, the default; service-work; name a region with --region.',
    '- git and, for GitHub, gh, to read repositories of the connected code hosts (github: service, the default); a named account is https://service-<name>@host/owner/repository. Nothing can be pushed.',
  ]);
});
