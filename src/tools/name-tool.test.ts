import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findToolAddress, nameTool } from './name-tool.ts';

describe('names of tools', () => {
  it('are <provider>__<tool>, and <provider>--<name>__<tool> for a named connection', () => {
    expect(nameTool({ provider: 'github', connectionName: 'default', tool: 'list-issues' })).toBe(
      'github__list-issues',
    );
    expect(nameTool({ provider: 'github', connectionName: 'work', tool: 'list-issues' })).toBe(
      'github--work__list-issues',
    );
  });

  it('are cut to 64 characters with a hash that tells them apart and stays the same', () => {
    const long = (last: string) =>
      nameTool({ provider: 'google-calendar', connectionName: `${'a'.repeat(63)}${last}`, tool: 'list-events' });
    expect(long('x')).toHaveLength(64);
    expect(long('x')).toMatch(/^google-calendar--a+-[0-9a-f]{8}__list-events$/);
    expect(long('x')).not.toBe(long('y'));
    expect(long('x')).toBe(long('x'));
    expect(nameTool({ provider: 'slack', connectionName: 'büro', tool: 'list-users' })).toMatch(
      /^slack--b-ro-[0-9a-f]{8}__list-users$/,
    );
  });

  it('fit every client, and those that were not cut are read back', () => {
    const address = fc.record({
      provider: fc.stringMatching(/^[a-z][a-z0-9]{0,10}(-[a-z0-9]{1,8})?$/),
      connectionName: fc.oneof(
        fc.constant('default'),
        fc.stringMatching(/^[a-z0-9_-]{1,40}$/),
        fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme' }),
      ),
      tool: fc.stringMatching(/^[a-z][a-z0-9-]{0,25}$/),
    });
    fc.assert(
      fc.property(address, (given) => {
        const name = nameTool(given);
        expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        const read = findToolAddress(name);
        if (read) expect(nameTool(read)).toBe(name);
      }),
    );
    for (const given of ['x__y', 'x--y', 'x--', '--', '-x', 'x_', 'default'].map((connectionName) => ({
      provider: 'a',
      connectionName,
      tool: 'z',
    })))
      expect(findToolAddress(nameTool(given))).toEqual(given);
  });

  it.each(['', 'github', '__x', 'github__', 'github__X', 'github--default__x', 'github--__x', 'github--WORK__x'])(
    '%j names none',
    (name) => expect(findToolAddress(name)).toBeUndefined(),
  );
});
