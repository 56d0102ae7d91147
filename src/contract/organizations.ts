import { z } from 'zod';
import { route } from './authority.ts';
import { shutOrganization } from './leaving/leaving.ts';
import { done, email, id, name, nextCursor, page, role, slug, timestamp } from './common.ts';
import { workspace } from './workspaces.ts';

export const plan = z.enum(['free', 'team', 'business']);

const organization = z.object({
  id,
  slug: z.string(),
  name: z.string(),
  plan,
  role,
  /** Present when the organization requires a second factor and the session has none: it is then closed to it. */
  needsSecondFactor: z.literal(true).optional(),
});
export type Organization = z.infer<typeof organization>;

/** A membership in an organization or a workspace; `user` is the user's id. */
const member = z.object({
  user: id,
  name: z.string(),
  email: z.string(),
  role,
  createdAt: timestamp,
  /** Present for a member of the organization from whom its identity provider has taken access. */
  suspended: z.literal(true).optional(),
});
export type Member = z.infer<typeof member>;

const invitation = z.object({
  id,
  url: z.string(),
  email: z.string(),
  role,
  expiresAt: timestamp,
  createdAt: timestamp,
});

const scimToken = z.object({
  id,
  createdAt: timestamp,
  /** The name of the owner who made it. */
  createdBy: z.string().optional(),
  /** To within a minute. */
  lastUsedAt: timestamp.optional(),
});

export const me = route('database', 'signed-in')
  .route({ method: 'GET', path: '/api/me', tags: ['People'], summary: 'The signed-in user and their organizations' })
  .output(
    z.object({
      user: z.object({ id, name: z.string(), email: z.string() }),
      organizations: z.array(organization),
      /** Those that are paused and, for their owners, those that are deleted and can be brought back. */
      shutOrganizations: z.array(shutOrganization).optional(),
      /** Present while demo model providers answer instead of real ones; the app then says so on every page. */
      demo: z.literal(true).optional(),
      /** Present when only the operator creates organizations; the app then does not offer it. */
      organizationsClosed: z.literal(true).optional(),
    }),
  );

export const organizations = {
  create: route('database', 'signed-in')
    .route({
      method: 'POST',
      path: '/api/organizations',
      successStatus: 201,
      tags: ['People'],
      summary: 'Create an organization; the caller becomes its owner',
    })
    .input(z.strictObject({ name, slug: slug.optional() }))
    .output(z.object({ organization, workspaces: z.object({ global: workspace, default: workspace }) })),

  update: route('database', 'settings:general')
    .route({
      method: 'PATCH',
      path: '/api/organizations/{org}',
      tags: ['People'],
      summary: 'Rename an organization',
      description: 'Its slug, which is part of addresses, stays as it is.',
    })
    .input(z.strictObject({ org: id, name }))
    .output(z.object({ organization })),

  members: {
    list: route('database', 'member')
      .route({ method: 'GET', path: '/api/organizations/{org}/members', tags: ['People'], summary: 'List members' })
      .input(z.strictObject({ org: id, ...page }))
      .output(z.object({ members: z.array(member), ...nextCursor })),
    add: route('database', 'settings:members')
      .route({
        method: 'POST',
        path: '/api/organizations/{org}/members',
        successStatus: 201,
        tags: ['People'],
        summary: 'Add the person whose account has this email address',
        description:
          '`account` says whether the address was ever verified, and when the account was registered. If that is not enough, invite them instead: an invitation also requires the link that you send them.',
      })
      .input(z.strictObject({ org: id, email, role }))
      .output(z.object({ member, account: z.object({ verified: z.boolean(), registeredAt: timestamp }) })),
    update: route('database', 'settings:members')
      .route({
        method: 'PATCH',
        path: '/api/organizations/{org}/members/{user}',
        tags: ['People'],
        summary: "Change a member's role",
      })
      .input(z.strictObject({ org: id, user: id, role }))
      .output(z.object({ member })),
    remove: route('database', 'settings:members-or-oneself')
      .route({
        method: 'DELETE',
        path: '/api/organizations/{org}/members/{user}',
        tags: ['People'],
        summary: 'Remove a member; members may remove themselves',
      })
      .input(z.strictObject({ org: id, user: id }))
      .output(done),
  },

  scimTokens: {
    list: route('database', 'settings:provisioning')
      .route({
        method: 'GET',
        path: '/api/organizations/{org}/scim-tokens',
        tags: ['People'],
        summary: 'List the tokens by which an identity provider provisions people',
      })
      .input(z.strictObject({ org: id }))
      .output(z.object({ url: z.string(), tokens: z.array(scimToken) })),
    create: route('database', 'settings:provisioning')
      .route({
        method: 'POST',
        path: '/api/organizations/{org}/scim-tokens',
        successStatus: 201,
        tags: ['People'],
        summary: 'Make a SCIM token; it is shown once',
        description:
          'An organization has at most two, so that one can be replaced without a gap: make the second, give it to the identity provider, revoke the first. It works until it is revoked.',
      })
      .input(z.strictObject({ org: id }))
      .output(z.object({ url: z.string(), id, token: z.string() })),
    revoke: route('database', 'settings:provisioning')
      .route({
        method: 'DELETE',
        path: '/api/organizations/{org}/scim-tokens/{token}',
        tags: ['People'],
        summary: 'Revoke a SCIM token',
        description: 'People and groups stay as they are.',
      })
      .input(z.strictObject({ org: id, token: id }))
      .output(done),
  },

  invitations: {
    list: route('database', 'settings:members')
      .route({
        method: 'GET',
        path: '/api/organizations/{org}/invitations',
        tags: ['People'],
        summary: 'List open invitations',
      })
      .input(z.strictObject({ org: id, ...page }))
      .output(z.object({ invitations: z.array(invitation), ...nextCursor })),
    create: route('database', 'settings:members')
      .route({
        method: 'POST',
        path: '/api/organizations/{org}/invitations',
        successStatus: 201,
        tags: ['People'],
        summary: 'Invite someone by email address; returns the link to send them',
      })
      .input(z.strictObject({ org: id, email, role }))
      .output(
        z.object({
          invitation,
          /** Whether it is also sent by mail. */
          sent: z.boolean(),
        }),
      ),
    send: route('database', 'settings:members')
      .route({
        method: 'POST',
        path: '/api/organizations/{org}/invitations/{invitation}/send',
        tags: ['People'],
        summary: 'Send an open invitation by mail again; 503 without mail',
      })
      .input(z.strictObject({ org: id, invitation: id }))
      .output(done),
    revoke: route('database', 'settings:members')
      .route({
        method: 'DELETE',
        path: '/api/organizations/{org}/invitations/{invitation}',
        tags: ['People'],
        summary: 'Revoke an invitation',
      })
      .input(z.strictObject({ org: id, invitation: id }))
      .output(done),
  },
};

export const invitations = {
  show: route('database', 'own')
    .route({
      method: 'GET',
      path: '/api/invitations/{invitation}',
      tags: ['People'],
      summary: 'Read an invitation',
    })
    .input(z.strictObject({ invitation: id }))
    .output(
      z.object({
        invitation: z.object({
          id,
          organization: z.object({ id, name: z.string() }),
          email: z.string(),
          role,
          expiresAt: timestamp,
        }),
      }),
    ),
  accept: route('database', 'own')
    .route({
      method: 'POST',
      path: '/api/invitations/{invitation}/accept',
      tags: ['People'],
      summary: 'Accept an invitation addressed to the signed-in user',
    })
    .input(z.strictObject({ invitation: id }))
    .output(z.object({ organization })),
};
