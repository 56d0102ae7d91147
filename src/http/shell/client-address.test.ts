import type { HttpBindings } from '@hono/node-server';
import { expect, it } from 'vitest';
import { clientAddress } from './client-address.ts';

function addressOf(remoteAddress: string | undefined, forwarded?: string): string {
  const request = new Request('http://localhost/', {
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  });
  return clientAddress(request, { incoming: { socket: { remoteAddress } } } as unknown as HttpBindings);
}

it('trusts what the gateway forwards, and only its last entry', () => {
  expect(addressOf('127.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
  expect(addressOf('::ffff:10.0.0.2', '1.2.3.4, 203.0.113.9')).toBe('203.0.113.9');
});

it('does not trust strangers', () => {
  expect(addressOf('8.8.8.8', '127.0.0.1')).toBe('8.8.8.8');
});

it('falls back to the peer, and to one shared name without a socket', () => {
  expect(addressOf('::1')).toBe('::1');
  expect(clientAddress(new Request('http://localhost/'), undefined)).toBe('unknown');
});
