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

it('an expression that cannot be read is a wrong command line; one that does not fit what there is fails', async () => {
  await expect(createJsonFilter('.[', false)).rejects.toMatchObject({
    exit: 2,
    error: 'usage',
    message: expect.stringMatching(/^--jq cannot read its expression: syntax error/),
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

it('sees nothing of the machine', async () => {
  process.env['SERVICECTL_TEST_SECRET'] = 'secret';
  expect(await (await createJsonFilter('env', false))(value)).not.toContain('secret');
  delete process.env['SERVICECTL_TEST_SECRET'];
});
