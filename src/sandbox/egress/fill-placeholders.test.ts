import { expect, it } from 'vitest';
import { fillHeader } from './fill-placeholders.ts';

const SECRETS = [
  { placeholder: 'secret-token-1', value: 'sk-real secret-token-2' },
  { placeholder: 'secret-token-12', value: 'longer' },
];

it('puts secrets in the place of their placeholders, once, also in basic authentication', () => {
  expect(fillHeader(SECRETS, 'Bearer secret-token-1')).toBe('Bearer sk-real secret-token-2');
  expect(fillHeader(SECRETS, 'secret-token-12,secret-token-1')).toBe('longer,sk-real secret-token-2');
  expect(fillHeader(SECRETS, 'text/html')).toBe('text/html');
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
  expect(fillHeader(SECRETS, basic('user:secret-token-12'))).toBe(basic('user:longer'));
  expect(fillHeader(SECRETS, basic('user:other'))).toBe(basic('user:other'));
});
