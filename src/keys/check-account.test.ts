import { expect, it } from 'vitest';
import { checkAccount } from './check-account.ts';

const ACCOUNT = { protocol: 'chat', auth: 'bearer', key: 'a-key' } as const;
const checkUrl = (baseUrl: string, allowed: boolean): string => checkAccount({ ...ACCOUNT, baseUrl }, allowed).baseUrl;

it.each([
  ['https://models.example.com/v1', 'https://models.example.com/v1'],
  ['https://models.example.com/v1/', 'https://models.example.com/v1'],
  ['http://models.example.com:8080/openai/v1', 'http://models.example.com:8080/openai/v1'],
])('takes %s', (given, kept) => expect(checkUrl(given, false)).toBe(kept));

it.each([
  '',
  'models.example.com',
  'ftp://models.example.com/v1',
  'file:///etc/passwd',
  'https://user:pass@models.example.com/v1',
  'https://models.example.com/v1?key=1',
  'https://models.example.com/v1#x',
])('refuses %s whatever the deployment allows', (given) => {
  for (const allowed of [true, false])
    expect(() => checkUrl(given, allowed)).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: { baseUrl: expect.any(String) } }),
    );
});

it.each([
  'http://localhost:11434/v1',
  'http://127.0.0.1/v1',
  'http://2130706433/v1',
  'http://[::1]/v1',
  'http://10.0.0.8/v1',
  'http://169.254.169.254/latest',
  'http://ollama/v1',
  'http://[::ffff:10.0.0.1]/v1',
])('takes %s only where private addresses are allowed', (given) => {
  expect(() => checkUrl(given, false)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  expect(checkUrl(given, true)).toContain('http://');
});
