import { describe, expect, it } from 'vitest';
import { AppError, errorBody } from '../base/errors.ts';
import { checkKeyFormat } from './write-provider-keys.ts';

function refusalOf(provider: string, key: string | null | undefined): object {
  try {
    return { key: checkKeyFormat(provider, key) };
  } catch (error) {
    const { status, body } = errorBody(error instanceof AppError ? error : undefined);
    return { status, error: body.error, retryable: body.retryable };
  }
}

const refused = (error: string): object => ({ status: 422, error, retryable: false });

describe('an empty key', () => {
  it.each(['openai', 'anthropic', 'google'])('is refused for %s', (provider) => {
    for (const key of ['', '  ', '\n', null, undefined])
      expect(refusalOf(provider, key)).toEqual(refused('Provider API key is required.'));
  });
});

describe('a prefix', () => {
  it.each([
    ['openai', 'pk-1', 'OpenAI API keys must start with sk-.'],
    ['openai', 'SK-1', 'OpenAI API keys must start with sk-.'],
    ['anthropic', 'sk-1', 'Anthropic API keys must start with sk-ant-.'],
    ['anthropic', 'ant-1', 'Anthropic API keys must start with sk-ant-.'],
  ])('of %s that is wrong (%s) is refused', (provider, key, error) =>
    expect(refusalOf(provider, key)).toEqual(refused(error)),
  );

  it.each([
    ['openai', 'sk-1'],
    ['openai', 'sk-ant-1'],
    ['anthropic', 'sk-ant-1'],
    ['google', 'anything'],
  ])('of %s that is right (%s) passes', (provider, key) => expect(refusalOf(provider, key)).toEqual({ key }));
});

it('the white space that pasting adds is not part of the key', () =>
  expect(checkKeyFormat('openai', ' sk-1\n')).toBe('sk-1'));
