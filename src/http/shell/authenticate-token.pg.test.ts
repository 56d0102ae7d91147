import { createSecretKey } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import type { Scope } from '../../contract/tokens.ts';
import type { Database } from '../../store/database.ts';
import { removeMember } from '../../tenancy/members/change-member.ts';
import { createToken, mintMemberToken } from '../../tenancy/tokens/create-token.ts';
import { createWorkspace } from '../../tenancy/workspaces/create-workspace.ts';
import { findCallerMembership } from '../../tenancy/tokens/find-caller.ts';
import { getMembership } from '../../tenancy/members/get-membership.ts';
import { listTokens } from '../../tenancy/tokens/list-tokens.ts';
import { type MintDeps, mintToken } from '../../tenancy/tokens/mint-token.ts';
import { revokeOwnToken, revokeToken } from '../../tenancy/tokens/revoke-token.ts';
import { createTokenVerifier } from '../../tenancy/tokens/verify-token.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import {
  addOrganization,
  addPerson,
  join,
  outcome,
  type Person,
  type TestOrganization,
} from '../../../test/support/people.ts';
import { authenticateToken, requireScope, type TokenAuthentication } from './authenticate-token.ts';

const key = createSecretKey(Buffer.from('the-secret-of-the-tests'));
let db: Database;
let deps: MintDeps;
let auth: TokenAuthentication;
let owner: Person;
let organization: TestOrganization;

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 4 });
  deps = { db, key, clock: systemClock };
  auth = { db, verifier: createTokenVerifier(key, systemClock) };
  owner = await addPerson(db);
  organization = await addOrganization(db, owner);
});
afterAll(() => db.close());

interface TokenAsked {
  name?: string;
  workspace?: string;
  expiresIn?: number | string;
  scopes?: Scope[];
}
const mint = async (request: TokenAsked = {}, { id: userId } = owner): ReturnType<typeof createToken> =>
  createToken(
    deps,
    await getMembership(db, { userId, organizationId: organization.id, workspaceId: request.workspace }),
    { scopes: ['chat'], ...request },
  );
const mintAsMember = ({ id: userId }: Person, workspaceId?: string): ReturnType<typeof mintMemberToken> =>
  mintMemberToken(deps, {
    userId,
    organizationId: organization.id,
    workspaceId,
    scopes: ['chat'],
    lifetimeSeconds: 60,
  });
const call = (token: string): ReturnType<typeof authenticateToken> =>
  authenticateToken(auth, { authorization: `Bearer ${token}` });

describe('minting', () => {
  it('writes exactly the claims of the contract', async () => {
    const { id, token, expiresAt } = await mint({ scopes: ['chat', 'connect:write', 'chat'], workspace: 'default' });
    const claims = decodeJwt(token);
    expect(claims).toEqual({
      sub: owner.id,
      org: organization.id,
      ws: organization.defaultId,
      scope: 'chat connect:write',
      aud: 'connect',
      jti: id,
      iat: expect.any(Number),
      exp: expiresAt.getTime() / 1000,
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(900);
  });

  it('stores a named token without the token itself, and an unnamed one not at all', async () => {
    await mint();
    const { id, token } = await mint({ name: 'laptop', expiresIn: 7 });
    const { rows } = await db.query('select * from :schema.connect_token where user_id = $1', [owner.id]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[2]);
    const { tokens } = await listTokens(db, owner.id, organization.id, {});
    expect(tokens).toEqual([
      {
        id,
        line: id,
        name: 'laptop',
        organization: organization.id,
        scopes: ['chat'],
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
      },
    ]);
  });

  it('is for members of the organization and of the workspace', async () => {
    const stranger = await addPerson(db);
    expect(await outcome(mintAsMember(stranger))).toBe('not_found');
    const member = await join(db, organization.id, await addPerson(db), 'member');
    const theirs = await createWorkspace(
      db,
      { userId: member.id, organizationId: organization.id },
      { name: 'Theirs' },
    );
    expect(await outcome(mintAsMember(owner, theirs.id))).toBe('workspace_membership_required');
    const mine = await createWorkspace(db, { userId: owner.id, organizationId: organization.id }, { name: 'Mine' });
    expect(await outcome(mintAsMember(member, mine.id))).toBe('not_found');
    expect(await outcome(mintAsMember(owner, mine.slug))).toBe('ok');
    expect(await outcome(mint({ workspace: mine.slug }))).toBe('ok');
  });

  it('refuses a long lifetime without a name', async () => {
    await expect(
      mintToken(deps, { userId: owner.id, organizationId: organization.id, scopes: ['chat'], lifetimeSeconds: 86_401 }),
    ).rejects.toThrow(RangeError);
  });
});

describe('calling', () => {
  it('finds the caller by a bearer token, in either kind of headers, and by x-api-key', async () => {
    const { id, token } = await mint();
    const expected = {
      userId: owner.id,
      organizationId: organization.id,
      workspaceId: undefined,
      tokenId: id,
      scopes: new Set(['chat']),
      membership: { workspaceId: organization.defaultId, organizationRole: 'owner' },
    };
    expect(await call(token)).toMatchObject(expected);
    expect(await authenticateToken(auth, new Headers({ authorization: `bearer ${token}` }))).toMatchObject(expected);
    expect(await authenticateToken(auth, { 'x-api-key': token })).toMatchObject(expected);
  });

  it.each([
    {},
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer x' },
    { authorization: 'Basic eDp5' },
    { 'x-api-key': ' ' },
    { 'x-api-key': 'sk-x' },
  ])('refuses %j', async (headers) => {
    expect(await outcome(authenticateToken(auth, headers))).toBe('unauthenticated');
  });

  it('accepts a signed token whose id the database does not know, and one without an id', async () => {
    const exp = Math.floor(Date.now() / 1000) + 60;
    for (const jti of ['made-elsewhere', undefined]) {
      const token = await new SignJWT({ sub: owner.id, org: organization.id, exp, ...(jti ? { jti } : {}) })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(key);
      expect(await call(token)).toMatchObject({ userId: owner.id, tokenId: jti, scopes: new Set() });
    }
  });

  it('knows no organization when the token names none', async () => {
    const token = await new SignJWT({ sub: owner.id, scope: 'chat', exp: Math.floor(Date.now() / 1000) + 60 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(key);
    const caller = await call(token);
    expect(caller).toMatchObject({ organizationId: undefined, membership: undefined });
    expect(await findCallerMembership(db, caller, organization.defaultId)).toBeUndefined();
  });

  it('reads membership at every call, never from the token', async () => {
    const member = await join(db, organization.id, await addPerson(db), 'member');
    const { token } = await mint({}, member);
    expect((await call(token)).membership).toMatchObject({ organizationRole: 'member' });
    await removeMember(db, { userId: owner.id, organizationId: organization.id }, member.id);
    expect((await call(token)).membership).toBeUndefined();
  });

  it('resolves the requested workspace, and only its own for a restricted token', async () => {
    const named = await createWorkspace(db, { userId: owner.id, organizationId: organization.id }, { name: 'Lab' });
    const free = await call((await mint()).token);
    expect(await findCallerMembership(db, free, named.id)).toMatchObject({ workspaceId: named.id });
    expect(await findCallerMembership(db, free, named.slug)).toMatchObject({ workspaceId: named.id });
    expect(await findCallerMembership(db, free, undefined)).toMatchObject({ workspaceId: organization.defaultId });
    const other = await addOrganization(db, owner);
    expect(await findCallerMembership(db, free, other.defaultId)).toBeUndefined();
    const bound = await call((await mint({ workspace: named.id })).token);
    expect(await findCallerMembership(db, bound, undefined)).toMatchObject({ workspaceId: named.id });
    expect(await findCallerMembership(db, bound, named.slug)).toMatchObject({ workspaceId: named.id });
    for (const place of ['default', 'global', organization.defaultId])
      expect(await findCallerMembership(db, bound, place)).toBeUndefined();
  });

  it('refuses a scope that the token lacks, naming it', async () => {
    const caller = await call((await mint()).token);
    expect(() => requireScope(caller, 'chat')).not.toThrow();
    expect(() => requireScope(caller, 'jobs:write')).toThrow(
      expect.objectContaining({ code: 'insufficient_scope', details: { scope: 'jobs:write' } }),
    );
  });
});

describe('revoking', () => {
  it.each([{ name: 'laptop' }, {}])(
    'ends a token of one’s own at once, although it was verified before: %j',
    async (request) => {
      const { id, token } = await mint(request);
      expect(await outcome(call(token))).toBe('ok');
      await revokeOwnToken(deps, owner.id, id);
      await revokeOwnToken(deps, owner.id, id);
      expect(await outcome(call(token))).toBe('unauthenticated');
    },
  );

  it('is for the owner of the token: to others it is not there', async () => {
    const other = await addPerson(db);
    for (const request of [{ name: 'mine' }, {}]) {
      const { id, token } = await mint(request);
      expect(await outcome(revokeOwnToken(deps, other.id, id))).toBe('not_found');
      expect(await outcome(call(token))).toBe('ok');
    }
    expect(await outcome(revokeOwnToken(deps, owner.id, 'tkt_unknown'))).toBe('not_found');
  });

  it('works by id alone for the service itself, and forgets unnamed tokens once they have expired', async () => {
    const { id, token } = await mint();
    await revokeToken(deps, id);
    expect(await outcome(call(token))).toBe('unauthenticated');
    const later = { ...deps, clock: () => new Date(Date.now() + 2 * 86_400_000) };
    await revokeToken(later, 'another');
    const { rows } = await db.query<{ id: string }>('select id from :schema.connect_token where name is null');
    expect(rows).toEqual([{ id: 'another' }]);
  });
});
