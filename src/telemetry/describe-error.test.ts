import { describe, expect, it } from 'vitest';
import { describeError } from './describe-error.ts';

const WRITTEN = 'what somebody wrote';

function fault(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('an error in the log', () => {
  it('has its type, code and stack, and the texts of its causes', () => {
    const described = describeError(
      new TypeError('outer', { cause: Object.assign(new Error('inner'), { code: 'ECONNRESET' }) }),
    );
    expect(described).toMatchObject({
      type: 'TypeError',
      message: 'outer: inner',
      cause: { type: 'Error', message: 'inner', code: 'ECONNRESET' },
    });
    expect(described.stack).toContain('describe-error.test.ts');
  });

  it.each<[string, unknown]>([
    ['JSON that cannot be parsed', fault(() => JSON.parse(`{"text": ${WRITTEN}}`))],
    [
      'a value that the database does not take',
      Object.assign(new Error(`invalid input syntax for type uuid: "${WRITTEN}"`), { code: '22P02' }),
    ],
    [
      'a row that breaks a rule',
      Object.assign(new Error('new row violates check constraint "x"'), {
        code: '23514',
        detail: `Failing row contains (${WRITTEN}).`,
        where: WRITTEN,
      }),
    ],
    [
      'the same, as a cause',
      new Error('could not be stored', { cause: Object.assign(new Error('new row'), { detail: WRITTEN }) }),
    ],
    ['something thrown that is no error', WRITTEN],
  ])('does not quote %s', (_name, error) => {
    expect(JSON.stringify(describeError(error))).not.toContain(WRITTEN);
  });

  it('keeps what the database says about its tables', () => {
    expect(describeError(Object.assign(new Error('relation "job" does not exist'), { code: '42P01' }))).toMatchObject({
      message: 'relation "job" does not exist',
      code: '42P01',
    });
  });

  it('ends with errors that are causes of each other', () => {
    const [one, other] = [new Error('one'), new Error('other')];
    one.cause = other;
    other.cause = one;
    expect(describeError(one).message).toMatch(/^one: other/);
  });
});
