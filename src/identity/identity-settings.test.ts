import { expect, it } from 'vitest';
import { ConfigError, readConfig } from '../base/config.ts';
import { readIdentitySettings } from './identity-settings.ts';

it('names the secret when it is missing', () => {
  const read = (): unknown => readIdentitySettings(readConfig({}));
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/AUTH_SECRET/);
});

it('follows the configuration', () => {
  expect(
    readIdentitySettings(readConfig({ AUTH_SECRET: 's', SERVICE_PUBLIC_URL: 'https://service.example/' })),
  ).toEqual({ publicUrl: 'https://service.example', authSecret: 's', allowPrivateUrls: false, clientDocuments: true });
});
