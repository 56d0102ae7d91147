import { describe, expect, test } from 'vitest';
import { AppError, errorBody, ERRORS, type ErrorCode } from '../../base/errors.ts';
import { encodeAnthropicError, encodeOpenAiError } from './encode-error.ts';

describe('an error of ours', () => {
  test.each(Object.keys(ERRORS) as ErrorCode[])('%s carries its code and sentence in both shapes', (code) => {
    const error = new AppError(code, { denials: ['policy_denied:model', 'policy_denied:compliance'] });
    const { status, body } = errorBody(error);
    const openai = encodeOpenAiError(error);
    const details = code === 'cap_reached' ? { details: body.details } : {};
    expect(openai.status).toBe(status);
    expect(openai.body.error).toMatchObject({ code: body.error, message: body.message });
    expect(encodeAnthropicError(error)).toEqual({
      status,
      body: { type: 'error', error: { type: body.error, message: body.message, ...details } },
    });
  });

  test('a cap says in both shapes whom it is for, how much it is and when it resets', () => {
    const details = { subject: { kind: 'token', id: 'tok_1' }, limit: 5, resetsAt: '2031-02-01T00:00:00.000Z' };
    const error = new AppError('cap_reached', { ...details, ownKey: true, retryAfterSeconds: 9 });
    expect(encodeOpenAiError(error)).toMatchObject({ status: 429, body: { error: { code: 'cap_reached', details } } });
    expect(encodeAnthropicError(error)).toMatchObject({
      status: 429,
      body: { error: { type: 'cap_reached', details } },
    });
  });

  test('keeps joined policy codes together', () => {
    const error = new AppError('policy_denied', { denials: ['policy_denied:provider', 'policy_denied:model'] });
    expect(encodeOpenAiError(error)).toEqual({
      status: 403,
      body: {
        error: {
          message: 'The selected AI model is not allowed for your organization.',
          type: 'permission_error',
          param: null,
          code: 'policy_denied:provider,policy_denied:model',
        },
      },
    });
    expect(encodeAnthropicError(error).body.error).toEqual({
      type: 'policy_denied:provider,policy_denied:model',
      message: 'The selected AI model is not allowed for your organization.',
    });
  });

  test('names the fields at fault in the message, where every client shows it', () => {
    const { body } = encodeOpenAiError(
      new AppError('invalid_request', { n: 'must be 1 for this model', stop: 'must be text' }),
    );
    expect(body).toEqual({
      error: {
        message: 'n: must be 1 for this model; stop: must be text.',
        type: 'invalid_request_error',
        param: 'n',
        code: 'invalid_request',
      },
    });
  });

  test('an unknown field is named as each provider would', () => {
    const error = new AppError('unknown_parameter', { 'messages.0.mood': 'is not a field that this model accepts' });
    expect(encodeOpenAiError(error)).toEqual({
      status: 400,
      body: {
        error: {
          message: "Unknown parameter: 'messages.0.mood'.",
          type: 'invalid_request_error',
          param: 'messages.0.mood',
          code: 'unknown_parameter',
        },
      },
    });
    expect(encodeAnthropicError(error).body.error.message).toBe('messages.0.mood: Extra inputs are not permitted');
  });

  test('a thread that cannot be kept is refused with the code from which Anthropic’s client continues', () => {
    expect(encodeAnthropicError(new AppError('invalid_request', { thread: 'is not kept' }))).toMatchObject({
      status: 400,
      body: {
        error: {
          type: 'invalid_request',
          message: 'thread: is not kept.',
          details: { error_code: 'thread_unsupported_request' },
        },
      },
    });
  });

  test('an unknown error leaves without its text', () => {
    expect(JSON.stringify([encodeOpenAiError(new Error('secret')), encodeAnthropicError('secret')])).not.toContain(
      'secret',
    );
  });
});
