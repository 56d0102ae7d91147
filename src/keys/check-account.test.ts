import { generateKeyPairSync } from 'node:crypto';
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

const PRIVATE_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});
const SERVICE_ACCOUNT = { type: 'service_account', client_email: 'a@b.example', private_key: PRIVATE_KEY };
const AWS_KEY = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'a-secret', region: 'us-east-1' };
const VALID = {
  azure: { protocol: 'responses', baseUrl: 'https://r.openai.azure.com/openai/v1', key: 'a-key' },
  aws: {
    protocol: 'messages',
    baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    key: JSON.stringify(AWS_KEY),
  },
  google: {
    protocol: 'messages',
    baseUrl: 'https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5',
    key: JSON.stringify(SERVICE_ACCOUNT),
  },
} as const;
const DEPLOYMENT = 'https://r.openai.azure.com/openai/deployments/d';

it.each([
  ['azure', {}],
  ['azure', { protocol: 'chat', baseUrl: `${DEPLOYMENT}?api-version=2024-10-21` }],
  ['aws', {}],
  ['aws', { protocol: 'chat', key: JSON.stringify({ ...AWS_KEY, sessionToken: 'a-session' }) }],
  ['google', {}],
] as const)('takes an account at %s with %j, its address and key as they were given', (auth, part) => {
  const account = { auth, ...VALID[auth], ...part };
  const { baseUrl, key } = checkAccount(account, false);
  expect(baseUrl).toBe(account.baseUrl);
  expect(checkAccount({ ...account, baseUrl }, false).key).toBe(key);
});

it.each([
  ['azure', { protocol: 'messages' }, 'protocol'],
  ['aws', { protocol: 'responses' }, 'protocol'],
  ['google', { protocol: 'responses' }, 'protocol'],
  ['azure', { baseUrl: 'https://r.openai.azure.com' }, 'baseUrl'],
  ['azure', { protocol: 'chat', baseUrl: DEPLOYMENT }, 'baseUrl'],
  ['azure', { baseUrl: `${DEPLOYMENT}?api-version=2024-10-21` }, 'baseUrl'],
  ['azure', { baseUrl: 'https://r.openai.azure.com/openai/v1?key=1' }, 'baseUrl'],
  ['azure', { key: 'with space' }, 'key'],
  ['aws', { baseUrl: 'http://169.254.169.254' }, 'baseUrl'],
  ['aws', { key: 'AKIAIOSFODNN7EXAMPLE' }, 'key'],
  ['aws', { key: JSON.stringify({ ...AWS_KEY, region: '../x' }) }, 'key'],
  ['aws', { key: JSON.stringify({ ...AWS_KEY, secretAccessKey: undefined }) }, 'key'],
  ['google', { baseUrl: 'https://us-east5-aiplatform.googleapis.com/v1' }, 'baseUrl'],
  ['google', { key: '{"type":"service_account"' }, 'key'],
  ['google', { key: JSON.stringify({ ...SERVICE_ACCOUNT, private_key: 'nonsense' }) }, 'key'],
  ['google', { key: JSON.stringify({ ...SERVICE_ACCOUNT, type: 'authorized_user' }) }, 'key'],
  ['google', { key: JSON.stringify({ ...SERVICE_ACCOUNT, token_uri: 'http://127.0.0.1/token' }) }, 'key'],
] as const)('refuses an account at %s with %j, by name and without its key', (auth, part, field) => {
  const account = { auth, ...VALID[auth], ...part };
  expect(() => checkAccount(account, false)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      details: { [field]: expect.not.stringContaining(account.key) },
    }),
  );
});
