import { expect, it } from 'vitest';
import { expectedCallback } from './expected-callback.ts';

const publicUrl = 'https://service.example.test';

it.each([
  [{ callbackUrl: 'https://a.test', providerServerUrl: 'https://b.test', publicUrl }, 'https://a.test/oauth/callback'],
  [{ callbackUrl: undefined, providerServerUrl: 'https://b.test/', publicUrl }, 'https://b.test/oauth/callback'],
  [{ callbackUrl: '', providerServerUrl: '', publicUrl }, 'https://service.example.test/oauth/callback'],
  [
    { callbackUrl: 'https://a.test/oauth/callback', providerServerUrl: undefined, publicUrl },
    'https://a.test/oauth/callback',
  ],
])('%j expects %s', (sources, expected) => expect(expectedCallback(sources)).toBe(expected));
