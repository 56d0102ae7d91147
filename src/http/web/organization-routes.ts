import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../store/database.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { acceptInvitation, showInvitation } from '../../tenancy/members/accept-invitation.ts';
import { addMember } from '../../tenancy/members/add-member.ts';
import { changeMemberRole, removeMember } from '../../tenancy/members/change-member.ts';
import { createOrganization } from '../../tenancy/organizations/create-organization.ts';
import type { SignUpRules } from '../../tenancy/members/sign-up-rules.ts';
import { invitationUrl } from '../../tenancy/members/invitation-url.ts';
import { type Invited, inviteMember } from '../../tenancy/members/invite-member.ts';
import { type Invitation, listInvitations, revokeInvitation } from '../../tenancy/members/list-invitations.ts';
import { renameOrganization } from '../../tenancy/organizations/rename-organization.ts';
import { listMembers } from '../../tenancy/members/list-members.ts';
import { listShutOrganizations } from '../../leaving/shut-organization.ts';
import { listOrganizations } from '../../tenancy/organizations/list-organizations.ts';
import { requireProof } from '../../identity/sessions/require-proof.ts';
import { SCIM_PATH } from '../../scim/protocol/schema-names.ts';
import { listScimTokens, makeScimToken, revokeScimToken } from '../../scim/tokens/scim-tokens.ts';
import { listClosedOrganizations } from '../../identity/sessions/second-factor-demand.ts';
import { member, web } from './authorize.ts';
import { invitationMail } from './invitation-mail.ts';

export interface OrganizationRouteDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Whether the model providers of this deployment are the demo ones. */
  readonly demo: boolean;
  readonly rules: SignUpRules;
  readonly mailer: Mailer;
}

const DONE = { ok: true } as const;

export function organizationRoutes({ db, clock, publicUrl, demo, rules, mailer }: OrganizationRouteDeps) {
  const mail = invitationMail({ clock, publicUrl, mailer });
  const withUrl = (invitation: Invitation): Invitation & { url: string } => ({
    ...invitation,
    url: invitationUrl(publicUrl, invitation.id),
  });
  return {
    me: web.me.handler(async ({ context: { user, signedIn } }) => {
      const [closed, organizations, shutOrganizations] = await Promise.all([
        listClosedOrganizations(db, signedIn),
        listOrganizations(db, user.id),
        listShutOrganizations(db, user.id, clock()),
      ]);
      return {
        user: { id: user.id, name: user.name, email: user.email },
        organizations: organizations.map((each) =>
          closed.has(each.id) ? { ...each, needsSecondFactor: true as const } : each,
        ),
        ...(shutOrganizations.length > 0 ? { shutOrganizations } : {}),
        ...(demo ? { demo } : {}),
        ...(rules.newOrganizations === 'operator' ? { organizationsClosed: true as const } : {}),
      };
    }),

    organizations: {
      create: web.organizations.create.handler(({ context, input }) =>
        createOrganization(db, context.user.id, input, rules),
      ),
      update: member.organizations.update.handler(async ({ context: { membership }, input }) => ({
        organization: await renameOrganization(db, membership, input.name),
      })),
      members: {
        list: member.organizations.members.list.handler(async ({ context: { membership }, input }) =>
          listMembers(db, membership, input),
        ),
        add: member.organizations.members.add.handler(({ context: { membership }, input }) =>
          addMember(db, membership, input),
        ),
        update: member.organizations.members.update.handler(async ({ context: { membership }, input }) => ({
          member: await changeMemberRole(db, membership, input.user, input.role),
        })),
        remove: member.organizations.members.remove.handler(async ({ context: { membership }, input }) => {
          await removeMember(db, membership, input.user);
          return DONE;
        }),
      },
      scimTokens: scimTokenRoutes({ db, clock, publicUrl }),
      invitations: {
        list: member.organizations.invitations.list.handler(async ({ context: { membership }, input }) => {
          const { invitations, ...more } = await listInvitations(db, clock, membership, input);
          return { invitations: invitations.map(withUrl), ...more };
        }),
        create: member.organizations.invitations.create.handler(async ({ context: { membership }, input }) => {
          let sent = false;
          const onInvited: Invited['onInvited'] = async (tx, invitation, by) => {
            sent = await mail.trySend(tx, invitation, by);
          };
          const invitation = await inviteMember(db, clock, membership, { ...input, onInvited });
          return { invitation: withUrl(invitation), sent };
        }),
        send: member.organizations.invitations.send.handler(async ({ context: { membership }, input }) => {
          await db.transaction((tx) => mail.sendAgain(tx, input.invitation, membership));
          return DONE;
        }),
        revoke: member.organizations.invitations.revoke.handler(async ({ context: { membership }, input }) => {
          await revokeInvitation(db, membership, input.invitation);
          return DONE;
        }),
      },
    },

    invitations: {
      show: web.invitations.show.handler(async ({ context, input }) => ({
        invitation: await showInvitation(db, clock, context.user, input.invitation),
      })),
      accept: web.invitations.accept.handler(async ({ context, input }) => ({
        organization: await acceptInvitation(db, clock, context.user, input.invitation),
      })),
    },
  };
}

function scimTokenRoutes({ db, clock, publicUrl }: Pick<OrganizationRouteDeps, 'db' | 'clock' | 'publicUrl'>) {
  const { scimTokens } = member.organizations;
  const url = `${publicUrl}${SCIM_PATH}`;
  return {
    list: scimTokens.list.handler(async ({ context: { membership } }) => ({
      url,
      tokens: await listScimTokens(db, membership.organizationId),
    })),
    create: scimTokens.create.handler(async ({ context: { membership, signedIn } }) => {
      requireProof(signedIn, clock());
      return { url, ...(await makeScimToken(db, clock, membership)) };
    }),
    revoke: scimTokens.revoke.handler(async ({ context: { membership }, input }) => {
      await revokeScimToken(db, membership, input.token);
      return DONE;
    }),
  };
}
