// The browser's half of the device flow (RFC 8628): a person confirms the code that a terminal shows.
import { call } from '../../api/identity.ts';

export type DeviceAnswer = 'approve' | 'deny';

/** Codes are shown in groups and typed by hand: case, spaces and hyphens do not count. */
export function normalizeUserCode(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** Looks the code up and claims it for the person who is signed in. */
export async function findDevice(userCode: string): Promise<void> {
  await call('GET', `/api/auth/device?user_code=${encodeURIComponent(userCode)}`);
}

export async function answerDevice(userCode: string, answer: DeviceAnswer): Promise<void> {
  await call('POST', `/api/auth/device/${answer}`, { userCode });
}
