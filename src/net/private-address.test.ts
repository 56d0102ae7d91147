import { expect, it } from 'vitest';
import { lookupPublic } from './lookup-public.ts';
import { isPrivateAddress, isPrivateHost } from './private-address.ts';

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::',
  'fe80::1%eth0',
  'fd00::1',
  '::ffff:127.0.0.1',
  '[::1]',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'not an address',
  '',
])('the address %s is private', (address) => expect(isPrivateAddress(address)).toBe(true));

it.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111', '[2606:4700::1111]'])('the address %s is public', (address) =>
  expect(isPrivateAddress(address)).toBe(false),
);

it.each([
  'localhost',
  'LOCALHOST',
  'localhost.',
  'api.localhost',
  'printer.local',
  'metadata.google.internal',
  'postgres',
  '127.0.0.1',
  '[::1]',
])('the host %s is private', (host) => expect(isPrivateHost(host)).toBe(true));

it.each(['example.com', 'api.openai.com.', 'locals.example', '8.8.8.8'])(
  'the host %s is public as far as its name tells',
  (host) => expect(isPrivateHost(host)).toBe(false),
);

it('a URL parser turns the odd spellings of an address into one that is recognised', () => {
  for (const url of [
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::ffff:7f00:1]/',
  ])
    expect(isPrivateHost(new URL(url).hostname), url).toBe(true);
});

it('a name is refused by what it resolves to', async () => {
  const error = await new Promise((resolve) => lookupPublic('localhost', {}, resolve));
  expect(String(error)).toContain('private address');
});
