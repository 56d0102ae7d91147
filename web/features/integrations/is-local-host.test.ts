import { expect, it } from 'vitest';
import { isLocalHost } from './is-local-host.ts';

it('treats a loopback host as a local app and every other as hosted', () => {
  for (const host of ['localhost', 'app.localhost', '127.0.0.1', '127.8.8.8', '[::1]'])
    expect(isLocalHost(host), host).toBe(true);
  for (const host of [
    'example.com',
    '10.0.0.1',
    '192.168.1.4',
    '127.0.0.1.example.com',
    'localhost.example.com',
    'mylocalhost',
  ])
    expect(isLocalHost(host), host).toBe(false);
});
