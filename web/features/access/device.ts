// The browser side of the device flow (RFC 8628): a person confirms the code that a terminal shows.
import { call } from '../../api/identity.ts';

export type DeviceAnswer = 'approve' | 'deny';

/** Codes are typed by hand: case, spaces and hyphens are ignored. */
export function normalizeUserCode(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** Looks up the code and claims it for the signed-in person. */
export async function findDevice(userCode: string): Promise<void> {
  await call('GET', `/api/auth/device?user_code=${encodeURIComponent(userCode)}`);
}

export async function answerDevice(userCode: string, answer: DeviceAnswer): Promise<void> {
  await call('POST', `/api/auth/device/${answer}`, { userCode });
}
