import { describe, expect, it } from 'vitest';
import { loadConnectors } from '../../catalog/load-connectors.ts';
import type { Connection } from '../../connections/connection-types.ts';
import { selectAccounts } from './accounts.ts';
import { githubApiPaths, gitPaths } from './code-hosts.ts';

const catalog = loadConnectors();
const connection = (provider: string, name = 'default', more: Partial<Connection> = {}): Connection => ({
  id: `con_${provider}${name}`,
  organizationId: 'org',
  workspaceId: 'wks',
  provider,
  name,
  kind: 'integration-reference',
  status: 'valid',
  reason: undefined,
  expiry: undefined,
  lastValidatedAt: undefined,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  policy: { actions: {}, repositories: { enforce: false, selected: [] }, push: 'off' },
  sealed: { ciphertext: Buffer.alloc(0), iv: Buffer.alloc(0), authTag: Buffer.alloc(0) },
  ...more,
});
const selected = (...connections: Connection[]): ReturnType<typeof selectAccounts> =>
  selectAccounts(connections, catalog, { capabilities: [], mayWrite: true });

describe('the accounts of a run', () => {
  it('are the command-backed clouds and the code hosts, under the names of their profiles', () => {
    const { accounts, leftOut } = selected(
      connection('aws'),
      connection('aws', 'work'),
      connection('databricks'),
      connection('github', 'oss'),
      connection('gitlab'),
      connection('google-cloud'),
      connection('slack'),
      connection('notion'),
    );
    expect(accounts.map(({ client, profile, isDefault, label }) => [client, profile, isDefault, label])).toEqual([
      ['aws', 'service', true, 'aws'],
      ['aws', 'service-work', false, 'aws-work'],
      ['databricks', 'service', true, 'databricks'],
      ['git', 'service-oss', false, 'github-oss'],
      ['git', 'service', true, 'gitlab'],
      ['gcloud', 'service', true, 'google-cloud'],
    ]);
    expect(leftOut).toEqual([]);
  });

  it('never include those of the agent registry', () => {
    expect(selected(connection('aws', 'agent-registry'), connection('google-cloud', 'agent-registry'))).toEqual({
      accounts: [],
      leftOut: [],
    });
  });

  it.each([
    ['expired', connection('aws', 'default', { status: 'expired' }), 'it is expired'],
    ['invalid', connection('aws', 'default', { status: 'invalid' }), 'it is invalid'],
    ['a name that would break out of a file', connection('aws', 'x]\n[evil'), 'name'],
    ['a name that is no name of a host', connection('aws', 'übung'), 'name'],
    [
      'a read that was turned off',
      connection('github', 'default', {
        policy: { actions: { 'list-issues': false }, repositories: { enforce: false, selected: [] }, push: 'off' },
      }),
      'turned off',
    ],
  ])('are not those that cannot be used: %s', (_what, one, reason) => {
    const { accounts, leftOut } = selected(one);
    expect(accounts).toEqual([]);
    expect(leftOut).toEqual([
      { connection: expect.stringMatching(/^(aws|github)/), reason: expect.stringContaining(reason) },
    ]);
  });

  it('are only those that the run names, if it names any', () => {
    const all = [
      connection('aws'),
      connection('aws', 'work'),
      connection('github'),
      connection('google-cloud'),
      connection('slack', 'general'),
    ];
    const named = (...capabilities: string[]): string[] =>
      selectAccounts(all, catalog, { capabilities, mayWrite: true }).accounts.map(({ label }) => label);
    expect(named('slack.general')).toEqual([]);
    expect(named('aws.work', 'github')).toEqual(['aws-work', 'github']);
    expect(selectAccounts(all, catalog, { capabilities: ['slack.general'], mayWrite: true }).leftOut).toEqual([]);
  });

  it('include none that could write when the run may not', () => {
    const { accounts, leftOut } = selectAccounts(
      [connection('aws'), connection('databricks'), connection('github'), connection('google-cloud')],
      catalog,
      { capabilities: [], mayWrite: false },
    );
    expect(accounts.map(({ label }) => label)).toEqual(['databricks', 'github']);
    expect(leftOut.map((one) => one.connection)).toEqual(['aws', 'google-cloud']);
  });

  it('are at most twenty', () => {
    const { accounts, leftOut } = selected(...Array.from({ length: 25 }, (_, index) => connection('aws', `n${index}`)));
    expect([accounts.length, leftOut.length]).toEqual([20, 5]);
  });
});

describe('what a run may request from a code host', () => {
  it('is reading any repository, unless some are selected', () => {
    expect(gitPaths({ enforce: false, selected: [] }).slice(0, 2)).toEqual([
      'GET /*/*/info/refs',
      'POST /*/*/git-upload-pack',
    ]);
    expect(gitPaths({ enforce: true, selected: ['Acme/App', '../etc', 'x', 'a/b?c'] })).toEqual([
      'GET /Acme/App/info/refs',
      'POST /Acme/App/git-upload-pack',
      'GET /Acme/App.git/info/refs',
      'POST /Acme/App.git/git-upload-pack',
    ]);
    expect(githubApiPaths('github.com', { enforce: false, selected: [] })).toEqual({
      paths: ['GET /*'],
      queries: ['/graphql'],
    });
    expect(githubApiPaths('github.com', { enforce: true, selected: ['acme/app'] })).toEqual({
      paths: ['GET /repos/acme/app', 'GET /repos/acme/app/*'],
      queries: [],
    });
    expect(githubApiPaths('git.acme.example', { enforce: false, selected: [] })).toEqual({
      paths: ['GET /api/v3/*'],
      queries: ['/api/graphql'],
    });
  });
});
