// Passkeys through the browser: a small library turns its binary values into JSON and back. It is loaded when someone
// uses a passkey.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { MadePasskey, UsedPasskey } from '../../src/contract/account/account.ts';

export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis;

/** Throws a `DOMException` when the person closes the browser's own dialog. */
export async function answerByPasskey(options: unknown): Promise<UsedPasskey> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return (await startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON })) as UsedPasskey;
}

export async function makePasskey(options: unknown): Promise<MadePasskey> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return (await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })) as MadePasskey;
}

/** Whether the person left the browser's dialog, or had nothing to choose in it: then there is nothing to report. */
export function isAbandoned(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');
}
