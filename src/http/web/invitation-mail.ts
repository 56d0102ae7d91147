// Invitations by mail. Without mail, or beyond its limits, the link is there to be handed over as before.
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { Transaction } from '../../store/database.ts';
import { findPerson } from '../../tenancy/members/find-person.ts';
import { invitationUrl } from '../../tenancy/members/invitation-url.ts';
import { getOpenInvitation, type Invitation } from '../../tenancy/members/list-invitations.ts';
import type { Membership } from '../../tenancy/members/membership.ts';

export interface InvitationMail {
  /** Returns whether it is sent. */
  trySend(tx: Transaction, invitation: Invitation, by: Membership): Promise<boolean>;
  /** Throws `not_found`, `mail_not_configured` and `rate_limited`. */
  sendAgain(tx: Transaction, id: string, by: Membership): Promise<void>;
}

export function invitationMail({
  clock,
  publicUrl,
  mailer,
}: {
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly mailer: Mailer;
}): InvitationMail {
  async function send(tx: Transaction, { id, email }: Invitation, by: Membership): Promise<void> {
    const { name, language } = await findPerson(tx, by.userId);
    const values = { organization: by.organizationName, inviter: name, link: invitationUrl(publicUrl, id) };
    await mailer.queue(tx, { kind: 'invitation', to: email, values, language, causedBy: by.userId });
  }

  return {
    async trySend(tx, invitation, by) {
      if (!mailer.configured) return false;
      try {
        await send(tx, invitation, by);
        return true;
      } catch (error) {
        // Refused before anything was written. An address that no mail server takes may still belong to an account.
        if (error instanceof AppError && (error.code === 'rate_limited' || error.code === 'invalid_request'))
          return false;
        throw error;
      }
    },
    async sendAgain(tx, id, by) {
      const invitation = await getOpenInvitation(tx, clock, by.organizationId, id);
      if (!mailer.configured) throw new AppError('mail_not_configured');
      await send(tx, invitation, by);
    },
  };
}
