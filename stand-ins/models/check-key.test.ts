import { expect, test } from 'vitest';
import { checkKey } from './check-key.ts';

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const apiKey = (key: string) => ({ 'x-api-key': key });

test.each(['demo-openai-1', 'sk-demo', 'sk-proj-demo-7'])('OpenAI takes the demo key %s', (key) => {
  expect(() => checkKey('openai', bearer(key))).not.toThrow();
});

test.each(['', 'demo', 'sk-proj-abc', 'sk-ant-demo', 'demo-anthropic-1'])(
  'OpenAI refuses the key %j without repeating it',
  (key) => {
    expect(() => checkKey('openai', bearer(key))).toThrow(/API key/);
    if (key.length > 4) expect(() => checkKey('openai', bearer(key))).not.toThrow(key);
  },
);

test.each(['demo-anthropic-1', 'sk-ant-demo', 'sk-ant-api03-demo'])('Anthropic takes the demo key %s', (key) => {
  expect(() => checkKey('anthropic', apiKey(key))).not.toThrow();
});

test('Anthropic takes a key as a bearer token too', () => {
  expect(() => checkKey('anthropic', bearer('sk-ant-demo'))).not.toThrow();
});

test.each(['', 'sk-demo', 'sk-ant-api03-abc'])('Anthropic refuses the key %j', (key) => {
  expect(() => checkKey('anthropic', apiKey(key))).toThrow(/key/);
});
