import { describe, expect, it } from 'vitest';
import { readConfig } from '../base/config.ts';
import { parseUpstream, upstreamAddresses } from './upstream-addresses.ts';

describe('upstreamAddresses', () => {
  it("follows the parts' own variables, and their ports by default", () => {
    const addresses = upstreamAddresses(
      readConfig({
        SERVICE_WEB_PORT: '5001',
        SERVICE_RUNTIME_URL: 'http://runtime.test:9000',
        SERVICE_SANDBOX_URL: 'unix:/run/sandbox.sock',
      }),
    );
    expect(addresses.web?.origin).toBe('http://127.0.0.1:5001');
    expect(addresses.runtime?.origin).toBe('http://runtime.test:9000');
    expect(addresses.broker?.origin).toBe('http://127.0.0.1:4003');
    expect(addresses.sandbox?.socketPath).toBe('/run/sandbox.sock');
  });

  it('has no integration provider unless one is given', () => {
    for (const environment of [
      {},
      { SERVICE_INTEGRATIONS_URL: 'off' },
      { SERVICE_INTEGRATIONS_URL: 'off', SERVICE_INTEGRATIONS_CONNECT_URL: 'http://a.test' },
    ]) {
      const addresses = upstreamAddresses(readConfig(environment));
      expect(addresses.integrations).toBeUndefined();
      expect(addresses['integrations-connect']).toBeUndefined();
    }
  });

  it("finds the Connect UI on port 3009 of the provider's host unless told where", () => {
    const connectOf = (environment: Record<string, string>): string | undefined =>
      upstreamAddresses(readConfig(environment))['integrations-connect']?.origin;
    expect(connectOf({ SERVICE_INTEGRATIONS_URL: 'http://nango.test:3003' })).toBe('http://nango.test:3009');
    expect(connectOf({ SERVICE_INTEGRATIONS_URL: 'https://nango.test/base' })).toBe('https://nango.test:3009');
    expect(
      connectOf({
        SERVICE_INTEGRATIONS_URL: 'http://nango.test:3003',
        SERVICE_INTEGRATIONS_CONNECT_URL: 'https://ui.test',
      }),
    ).toBe('https://ui.test');
  });
});

describe('parseUpstream', () => {
  it('keeps a path of the URL and takes the brackets off an IPv6 address', () => {
    expect(parseUpstream('https://[::1]/base/')).toEqual({
      origin: 'https://[::1]',
      protocol: 'https:',
      hostname: '::1',
      port: 443,
      host: '[::1]',
      basePath: '/base',
    });
  });
});
