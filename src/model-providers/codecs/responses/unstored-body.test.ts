import { expect, it } from 'vitest';
import { toPassThroughBody } from '../pass-through.ts';
import { toUnstoredBody } from './unstored-body.ts';

const SEALED = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' };

it('asks for reasoning that can be sent again', () => {
  expect(toUnstoredBody({ input: 'x' }, { reasoning: true })).toEqual({
    input: 'x',
    include: ['reasoning.encrypted_content'],
  });
  expect(
    toUnstoredBody(
      { input: 'x', include: ['message.input_image.image_url', 'reasoning.encrypted_content'] },
      { reasoning: true },
    ),
  ).toMatchObject({ include: ['message.input_image.image_url', 'reasoning.encrypted_content'] });
  expect(toUnstoredBody({ input: 'x' }, { reasoning: false })).toEqual({ input: 'x' });
});

it('leaves out reasoning that refers to something not stored anywhere', () => {
  const items = [{ type: 'reasoning', id: 'rs_0', summary: [] }, SEALED, { role: 'user', content: 'x' }];
  expect(toUnstoredBody({ input: items }, { reasoning: true })).toMatchObject({ input: items.slice(1) });
});

it('sends OpenAI no reasoning that another provider has signed, whatever the credential', () => {
  const items = [
    { ...SEALED, encrypted_content: 'anthropic-signature:x' },
    { ...SEALED, encrypted_content: 'anthropic-redacted:x' },
    SEALED,
  ];
  expect(toPassThroughBody('responses', { input: items }, { model: 'm', target: 'openai' })).toEqual({
    model: 'm',
    input: [SEALED],
  });
});
