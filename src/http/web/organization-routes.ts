import type { Clock } from '../../base/clock.ts';
import type { Database } from '../../store/database.ts';
import { acceptInvitation, showInvitation } from '../../tenancy/accept-invitation.ts';
import { addMember } from '../../tenancy/add-member.ts';
import { changeMemberRole, removeMember } from '../../tenancy/change-member.ts';
import { createOrganization } from '../../tenancy/create-organization.ts';
import type { EntranceRules } from '../../tenancy/entrance-rules.ts';
import { getStanding } from '../../tenancy/get-standing.ts';
import { invitationUrl } from '../../tenancy/invitation-url.ts';
import { inviteMember } from '../../tenancy/invite-member.ts';
import { type Invitation, listInvitations, revokeInvitation } from '../../tenancy/list-invitations.ts';
import { listMembers } from '../../tenancy/list-members.ts';
import { listOrganizations } from '../../tenancy/list-organizations.ts';
import { web } from './implement-web.ts';

export interface OrganizationRouteDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly publicUrl: string;
  /** Whether the model providers of this deployment are the demo ones. */
  readonly demo: boolean;
  readonly rules: EntranceRules;
}

const DONE = { ok: true } as const;

export function organizationRoutes({ db, clock, publicUrl, demo, rules }: OrganizationRouteDeps) {
  const withUrl = (invitation: Invitation): Invitation & { url: string } => ({
    ...invitation,
    url: invitationUrl(publicUrl, invitation.id),
  });
  const place = (user: { id: string }, org: string): { userId: string; organizationId: string } => ({
    userId: user.id,
    organizationId: org,
  });

  return {
    me: web.me.handler(async ({ context: { user } }) => ({
      user: { id: user.id, name: user.name, email: user.email },
      organizations: await listOrganizations(db, user.id),
      ...(demo ? { demo } : {}),
      ...(rules.newOrganizations === 'operator' ? { organizationsClosed: true as const } : {}),
    })),

    organizations: {
      create: web.organizations.create.handler(({ context, input }) =>
        createOrganization(db, context.user.id, input, rules),
      ),
      members: {
        list: web.organizations.members.list.handler(async ({ context, input }) =>
          listMembers(db, await getStanding(db, place(context.user, input.org)), input),
        ),
        add: web.organizations.members.add.handler(({ context, input }) =>
          addMember(db, place(context.user, input.org), input),
        ),
        update: web.organizations.members.update.handler(async ({ context, input }) => ({
          member: await changeMemberRole(db, place(context.user, input.org), input.user, input.role),
        })),
        remove: web.organizations.members.remove.handler(async ({ context, input }) => {
          await removeMember(db, place(context.user, input.org), input.user);
          return DONE;
        }),
      },
      invitations: {
        list: web.organizations.invitations.list.handler(async ({ context, input }) => {
          const { invitations, ...more } = await listInvitations(db, clock, place(context.user, input.org), input);
          return { invitations: invitations.map(withUrl), ...more };
        }),
        create: web.organizations.invitations.create.handler(async ({ context, input }) => ({
          invitation: withUrl(await inviteMember(db, clock, place(context.user, input.org), input)),
        })),
        revoke: web.organizations.invitations.revoke.handler(async ({ context, input }) => {
          await revokeInvitation(db, place(context.user, input.org), input.invitation);
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
