import { expect, it } from 'vitest';
import { createJsonFilter } from './filter-json.ts';

const value = {
  models: [
    { id: 'a', n: 1.5 },
    { id: 'b', n: 2 },
  ],
  name: 'ü "x"',
};

it.each([
  ['.models[].id', 'a\nb'],
  ['.name', 'ü "x"'],
  ['.models | sort_by(-.n)', '[{"id":"b","n":2},{"id":"a","n":1.5}]'],
  ['.models[] | select(.n > 1.5) | .id', 'b'],
  ['empty', ''],
  ['(.models | length), .name', '2\nü "x"'],
  ['# a comment\n.name', 'ü "x"'],
])('%s prints as jq -r does', async (expression, printed) => {
  expect(await (await createJsonFilter(expression, false))(value)).toBe(printed);
});

it('an invalid expression is a usage error; one that does not fit the data fails', async () => {
  await expect(createJsonFilter('.[', false)).rejects.toMatchObject({
    exit: 2,
    error: 'usage',
    message: expect.stringMatching(/^--jq has an invalid expression: syntax error/),
  });
  await expect(createJsonFilter('nothing_of_the_kind', false)).rejects.toMatchObject({ exit: 2 });
  await expect((await createJsonFilter('.models | length, .name', false))(value)).rejects.toMatchObject({
    exit: 1,
    error: 'jq_failed',
  });
  await expect((await createJsonFilter('.name[]', false))(value)).rejects.toMatchObject({
    exit: 1,
    error: 'jq_failed',
    message: expect.stringContaining('Cannot iterate over string'),
  });
});

it('has no access to the environment or files', async () => {
  process.env['SERVICECTL_TEST_SECRET'] = 'secret';
  expect(await (await createJsonFilter('env', false))(value)).not.toContain('secret');
  delete process.env['SERVICECTL_TEST_SECRET'];
});
