// The steps of the device flow around the identity library: what the session of a device inherits.
import { findApproval, inheritStrength, noteApproval } from '../../identity/sessions/device-session.ts';
import type { IdentitySettings } from '../../identity/identity-settings.ts';
import type { Database } from '../../store/database.ts';
import { AppError } from '../../base/errors.ts';
import type { AuthVisit, CallLibrary } from './call-identity-library.ts';
import { deviceRefusal } from './identity-errors.ts';

export interface DeviceRouteDeps {
  readonly db: Database;
  readonly settings: IdentitySettings;
  readonly callLibrary: CallLibrary;
}

export function deviceRoutes({ db, settings, callLibrary }: DeviceRouteDeps) {
  return {
    async '/device/approve'(visit: AuthVisit): Promise<Response> {
      const { session } = visit;
      if (!session) throw new AppError('unauthenticated');
      const { userCode } = visit.body as { userCode: string };
      await noteApproval(db, settings, { userCode, userId: session.user.id, sessionId: session.sessionId });
      return callLibrary(visit);
    },
    async '/device/token'(visit: AuthVisit): Promise<Response> {
      const { device_code: deviceCode } = visit.body as { device_code: string };
      const approvedBy = await findApproval(db, deviceCode);
      const answer = await callLibrary(visit);
      if (!answer.ok) return answer;
      const { access_token: token } = (await answer.clone().json()) as { access_token: string };
      if (await inheritStrength(db, { token, approvedBy })) return answer;
      const ended = { error: 'expired_token', error_description: 'The session that approved the device has ended.' };
      return deviceRefusal(400, ended) ?? answer;
    },
  };
}
