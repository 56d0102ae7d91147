import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeAuthorization, type Situation } from './judge-authorization.ts';

const stored = { status: 'valid', isSame: false, isNewer: false, authorizedByActor: false } as const;
const given: Situation = {
  provider: 'usable',
  removed: false,
  stored: undefined,
  actorHasAuthority: false,
  credentialIsActors: true,
};

describe('a creation or override', () => {
  it.each<[string, Partial<Situation>, string]>([
    ['of a new connection', {}, 'store'],
    ['of a new connection while the provider does not answer', { provider: undefined }, 'store'],
    [
      'of one that the provider does not have',
      { provider: 'missing', actorHasAuthority: true },
      'ignore provider_connection_missing',
    ],
    ['of one that was removed here', { removed: true, actorHasAuthority: true }, 'ignore connection_removed'],
    ['of one that was replaced here', { removed: true, stored, actorHasAuthority: true }, 'ignore connection_removed'],
    [
      'of the stored one, whose id was removed at another address',
      { removed: true, stored: { ...stored, isSame: true }, actorHasAuthority: true },
      'store',
    ],
    [
      'older than what is stored',
      { stored: { ...stored, isNewer: true }, actorHasAuthority: true },
      'ignore connection_superseded',
    ],
    [
      'older than what is stored and broken',
      { stored: { ...stored, status: 'invalid', isNewer: true }, actorHasAuthority: true },
      'ignore connection_superseded',
    ],
    ['newer than a valid one, with authority', { stored, actorHasAuthority: true }, 'store'],
    [
      'newer than a valid one, with authority, unconfirmed',
      { stored, actorHasAuthority: true, provider: undefined },
      'ignore provider_unconfirmed',
    ],
    ['newer than a valid one, without authority', { stored }, 'delete at the provider workspace_authority_required'],
    ['newer than an expired one', { stored: { ...stored, status: 'expired' } }, 'store'],
    [
      'newer than an invalid one, unconfirmed',
      { stored: { ...stored, status: 'invalid' }, provider: undefined },
      'store',
    ],
    [
      'in place of a valid one, with authority',
      { stored: { ...stored, isSame: true }, actorHasAuthority: true },
      'store',
    ],
    [
      'in place of a valid one, delivered twice',
      { stored: { ...stored, isSame: true, authorizedByActor: true } },
      'store',
    ],
    [
      'in place of a valid one, without authority',
      { stored: { ...stored, isSame: true } },
      'invalidate workspace_authority_required',
    ],
    [
      'in place of a valid one, without authority, of long ago',
      { stored: { ...stored, isSame: true }, credentialIsActors: false },
      'ignore workspace_authority_required',
    ],
    ['in place of an invalid one', { stored: { ...stored, isSame: true, status: 'invalid' } }, 'store'],
    [
      'in place of an invalid one that is still broken',
      { stored: { ...stored, isSame: true, status: 'invalid' }, provider: 'broken' },
      'ignore provider_connection_errors',
    ],
    [
      'of a broken one in place of a valid one',
      { stored, actorHasAuthority: true, provider: 'broken' },
      'ignore provider_connection_errors',
    ],
  ])('%s', (_, change, expected) => {
    const verdict = judgeAuthorization({ ...given, ...change });
    expect(verdict.act === 'store' ? 'store' : `${verdict.act} ${verdict.reason}`).toBe(expected);
  });

  it('never replaces a valid connection without authority, and never because of the webhook alone', () => {
    const situation: fc.Arbitrary<Situation> = fc.record({
      provider: fc.constantFrom('usable', 'broken', 'missing', undefined),
      removed: fc.boolean(),
      stored: fc.option(
        fc.record({
          status: fc.constantFrom('valid', 'expired', 'invalid'),
          isSame: fc.boolean(),
          isNewer: fc.boolean(),
          authorizedByActor: fc.boolean(),
        }),
        { nil: undefined },
      ),
      actorHasAuthority: fc.boolean(),
      credentialIsActors: fc.boolean(),
    });
    fc.assert(
      fc.property(situation, (each) => {
        const { act } = judgeAuthorization(each);
        const replaces = act === 'store' && each.stored !== undefined && !each.stored.isSame;
        if (replaces && each.stored?.status === 'valid')
          expect([each.actorHasAuthority, each.provider, each.removed, each.stored.isNewer]).toEqual([
            true,
            'usable',
            false,
            false,
          ]);
        if (each.provider === 'missing' || (each.removed && !each.stored?.isSame)) expect(act).toBe('ignore');
        if (act === 'delete at the provider') expect(each.stored?.isSame).toBe(false);
        if (act === 'invalidate') expect([each.stored?.isSame, each.actorHasAuthority]).toEqual([true, false]);
      }),
      { numRuns: 2_000 },
    );
  });
});
