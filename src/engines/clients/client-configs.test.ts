// The files that clients read, byte for byte.
import { describe, expect, it } from 'vitest';
import { awsConfig } from './aws-config.ts';
import { databricksConfig, findDatabricksHost } from './databricks-config.ts';
import { gcloudConfig } from './gcloud-config.ts';
import { ghConfig, gitConfig } from './git-config.ts';

const DEFAULT = { profile: 'service', isDefault: true } as const;
const WORK = { profile: 'service-work', isDefault: false } as const;
const contentOf = (files: readonly { path: string; content: string }[], path: string): string | undefined =>
  files.find((file) => file.path === `/workspace/.service/${path}`)?.content;

describe('the configuration of the AWS clients', () => {
  const { files, env } = awsConfig([{ ...DEFAULT, region: 'eu-central-1' }, WORK]);
  it('has the default connection twice, and a named one under its name', () => {
    expect(contentOf(files, 'aws/config')).toBe(`[default]
credential_process = /opt/service/node /workspace/.service/aws/credentials.cjs service
region = eu-central-1

[profile service]
credential_process = /opt/service/node /workspace/.service/aws/credentials.cjs service
region = eu-central-1

[profile service-work]
credential_process = /opt/service/node /workspace/.service/aws/credentials.cjs service-work
`);
    expect(contentOf(awsConfig([WORK]).files, 'aws/config')).toBe(
      '[profile service-work]\ncredential_process = /opt/service/node /workspace/.service/aws/credentials.cjs service-work\n',
    );
  });
  it('turns off every other source of credentials', () => {
    expect(env).toEqual({
      AWS_CONFIG_FILE: '/workspace/.service/aws/config',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_PAGER: '',
    });
  });
});

describe('the configuration of the Databricks client', () => {
  it('points it to a broker with a placeholder', () => {
    const { files, env } = databricksConfig([
      { ...DEFAULT, broker: 'databricks.broker' },
      { ...WORK, broker: 'databricks-work.broker' },
    ]);
    expect(env).toEqual({ DATABRICKS_CONFIG_FILE: '/workspace/.service/databricks/config' });
    expect(contentOf(files, 'databricks/config')).toBe(`[DEFAULT]
host = http://databricks.broker
token = kept-outside-by-the-broker
auth_type = pat

[service]
host = http://databricks.broker
token = kept-outside-by-the-broker
auth_type = pat

[service-work]
host = http://databricks-work.broker
token = kept-outside-by-the-broker
auth_type = pat
`);
  });
  it.each([
    [{ host: 'https://dbc-12345678-9abc.cloud.databricks.com/' }, 'dbc-12345678-9abc.cloud.databricks.com'],
    [{ other: 'x', workspaceUrl: 'adb-1.2.azuredatabricks.net' }, 'adb-1.2.azuredatabricks.net'],
    [{ deployment: 'dbc-12345678-9abc' }, 'dbc-12345678-9abc.cloud.databricks.com'],
    [{ host: 'https://evil.example/?x=.cloud.databricks.com' }, undefined],
    [{ host: 'https://cloud.databricks.com.evil.example' }, undefined],
    [{ deployment: 'localhost' }, undefined],
    [{}, undefined],
  ])('finds the workspace of Databricks itself, and no other host: %j', (settings, host) =>
    expect(findDatabricksHost(settings as Record<string, string>)).toBe(host),
  );
});

describe('the configuration of gcloud', () => {
  it('is a directory with a configuration for each connection and a token beside it', () => {
    const { files, env } = gcloudConfig([
      { ...DEFAULT, token: 'ya29.default', project: 'acme-prod' },
      { ...WORK, token: 'ya29.work' },
    ]);
    expect(env).toEqual({ CLOUDSDK_CONFIG: '/workspace/.service/gcloud', CLOUDSDK_CORE_DISABLE_PROMPTS: '1' });
    const own = `[core]
disable_prompts = true
disable_usage_reporting = true
project = acme-prod

[auth]
access_token_file = /workspace/.service/gcloud/tokens/service
`;
    expect(
      Object.fromEntries(files.map(({ path, content }) => [path.replace('/workspace/.service/gcloud/', ''), content])),
    ).toEqual({
      active_config: 'default',
      'configurations/config_default': own,
      'configurations/config_service': own,
      'tokens/service': 'ya29.default',
      'configurations/config_service-work':
        '[core]\ndisable_prompts = true\ndisable_usage_reporting = true\n\n[auth]\naccess_token_file = /workspace/.service/gcloud/tokens/service-work\n',
      'tokens/service-work': 'ya29.work',
    });
    expect(contentOf(gcloudConfig([{ ...WORK, token: 't' }]).files, 'gcloud/active_config')).toBe('service-work');
  });
});

describe('the configuration of git and gh', () => {
  it('points git to brokers: the default connection for the ordinary addresses, a named one when it is named', () => {
    const { files, env } = gitConfig([
      { ...DEFAULT, host: 'github.com', broker: 'github.broker' },
      { ...WORK, host: 'github.com', broker: 'github-work.broker' },
    ]);
    expect(env).toEqual({
      GIT_CONFIG_GLOBAL: '/workspace/.service/git/config',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
    });
    expect(contentOf(files, 'git/config')).toBe(`[user]
\tname = Service run
\temail = run@service.invalid
[credential]
\thelper =
[safe]
\tdirectory = *

[url "http://github.broker/"]
\tinsteadOf = https://service@github.com/
\tinsteadOf = https://github.com/
\tinsteadOf = ssh://git@github.com/
\tinsteadOf = git@github.com:

[url "http://github-work.broker/"]
\tinsteadOf = https://service-work@github.com/
`);
  });
  it('gives gh the socket of the proxy and a placeholder', () => {
    const { files, env } = ghConfig(['github.com']);
    expect(env).toEqual({
      GH_CONFIG_DIR: '/workspace/.service/gh',
      GH_PROMPT_DISABLED: '1',
      GH_NO_UPDATE_NOTIFIER: '1',
    });
    expect(contentOf(files, 'gh/config.yml')).toBe(
      'version: "1"\ngit_protocol: https\nprompt: disabled\npager: cat\nhttp_unix_socket: /run/egress/proxy.sock\n',
    );
    expect(contentOf(files, 'gh/hosts.yml')).toBe(`github.com:
    user: service
    oauth_token: kept-outside-by-the-broker
    git_protocol: https
    users:
        service:
            oauth_token: kept-outside-by-the-broker
`);
  });
});
