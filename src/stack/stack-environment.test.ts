import { describe, expect, it } from 'vitest';
import { readConfig } from '../base/config.ts';
import { stackEnvironment } from './stack-environment.ts';

const choices = {
  dataDirectory: '/data',
  ports: {
    gateway: 5000,
    web: 5001,
    runtime: 5002,
    broker: 5003,
    integrations: 3003,
    integrationsConnect: 3009,
    postgres: 5006,
    demoProviders: 5007,
    mailbox: 5008,
    mailboxSmtp: 5009,
  },
  selected: ['web'],
  secrets: { AUTH_SECRET: 'made' },
};

describe('the environment of the stack', () => {
  it('completes what was given and is valid', () => {
    const environment = stackEnvironment(
      { HOME: '/h', OPENAI_API_KEY: 'given' },
      { ...choices, databaseUrl: 'postgresql://u:p@127.0.0.1:5006/postgres' },
    );
    expect(environment).toMatchObject({
      HOME: '/h',
      OPENAI_API_KEY: 'given',
      AUTH_SECRET: 'made',
      SERVICE_DATA_DIR: '/data',
      SERVICE_WEB_PORT: '5001',
      SERVICE_ALLOW_PRIVATE_URLS: '1',
      SERVICE_GATEWAY_HOST: 'localhost',
      SERVICE_DRAIN_SECONDS: '3',
    });
    expect(readConfig(environment)).toMatchObject({
      SERVICE_GATEWAY_PORT: 5000,
      SERVICE_UPSTREAM_DB: 'postgresql://u:p@127.0.0.1:5006/postgres',
    });
    expect(environment).not.toHaveProperty('SERVICE_INTEGRATIONS_URL');
  });

  it('lets the environment win over generated secrets and defaults, but not an empty value', () => {
    const environment = stackEnvironment(
      { AUTH_SECRET: 'given', SERVICE_ALLOW_PRIVATE_URLS: '0', SERVICE_DRAIN_SECONDS: '9', OPENAI_API_KEY: '' },
      choices,
    );
    expect(environment).toMatchObject({
      AUTH_SECRET: 'given',
      SERVICE_ALLOW_PRIVATE_URLS: '0',
      SERVICE_DRAIN_SECONDS: '9',
    });
    expect(environment).not.toHaveProperty('OPENAI_API_KEY');
  });

  it.each([
    [undefined, '1'],
    ['localhost', '1'],
    ['127.0.0.1', '1'],
    ['::1', '1'],
    ['0.0.0.0', '0'],
    ['::', '0'],
    ['192.0.2.1', '0'],
    ['service.example', '0'],
  ])('weak limits of runs and private addresses are allowed only on the loopback, or by name: %s', (host, value) => {
    const relaxed = { SERVICE_SANDBOX_ALLOW_WEAK: value, SERVICE_ALLOW_PRIVATE_URLS: value };
    expect(stackEnvironment({ SERVICE_GATEWAY_HOST: host }, choices)).toMatchObject(relaxed);
    const named = { SERVICE_SANDBOX_ALLOW_WEAK: '1', SERVICE_ALLOW_PRIVATE_URLS: '1' };
    expect(stackEnvironment({ SERVICE_GATEWAY_HOST: host, ...named }, choices)).toMatchObject(named);
  });

  it('lets the options win over the environment', () => {
    expect(stackEnvironment({ SERVICE_GATEWAY_PORT: '4000', SERVICE_DATA_DIR: '/other' }, choices)).toMatchObject({
      SERVICE_GATEWAY_PORT: '5000',
      SERVICE_DATA_DIR: '/data',
    });
  });

  it('tells the parts where the local integration provider is, behind the public address for browsers', () => {
    const selected = ['local-integrations'];
    expect(stackEnvironment({}, { ...choices, selected })).toMatchObject({
      SERVICE_INTEGRATIONS_URL: 'http://127.0.0.1:3003',
      SERVICE_INTEGRATIONS_CONNECT_URL: 'http://127.0.0.1:3009',
      SERVICE_INTEGRATIONS_PUBLIC_URL: 'http://localhost:5000/integrations',
    });
    expect(
      stackEnvironment({ SERVICE_PUBLIC_URL: 'https://x.test/' }, { ...choices, selected })
        .SERVICE_INTEGRATIONS_PUBLIC_URL,
    ).toBe('https://x.test/integrations');
  });

  it('sends the Connect page elsewhere when only its address is given, and keeps the local provider', () => {
    expect(
      stackEnvironment(
        { SERVICE_INTEGRATIONS_CONNECT_URL: 'http://connect.test' },
        { ...choices, selected: ['local-integrations'] },
      ),
    ).toMatchObject({
      SERVICE_INTEGRATIONS_URL: 'http://127.0.0.1:3003',
      SERVICE_INTEGRATIONS_CONNECT_URL: 'http://connect.test',
    });
  });

  it('hands on no integration provider when it is off', () => {
    expect(stackEnvironment({ SERVICE_INTEGRATIONS_URL: 'off' }, choices)).not.toHaveProperty(
      'SERVICE_INTEGRATIONS_URL',
    );
  });

  it('sends mail to the local mailbox, and none when it is off', () => {
    expect(readConfig(stackEnvironment({}, { ...choices, selected: ['local-mailbox'] }))).toMatchObject({
      SERVICE_SMTP_URL: 'smtp://127.0.0.1:5009',
      SERVICE_MAIL_FROM: 'Service <service@localhost>',
    });
    const off = stackEnvironment({ SERVICE_SMTP_URL: 'off', SERVICE_MAIL_FROM: 'a@example.com' }, choices);
    expect(off).not.toHaveProperty('SERVICE_SMTP_URL');
    expect(off).not.toHaveProperty('SERVICE_MAIL_FROM');
  });

  it('points both model providers at the demo ones and says that they are', () => {
    expect(readConfig(stackEnvironment({}, { ...choices, selected: ['demo-providers'] }))).toMatchObject({
      SERVICE_DEMO_PROVIDERS: true,
      OPENAI_API_URL: 'http://127.0.0.1:5007',
      ANTHROPIC_API_URL: 'http://127.0.0.1:5007',
    });
  });
});
