// The device flow (RFC 8628): the user approves a code in a browser, on any machine.
import { setTimeout as sleep } from 'node:timers/promises';
import { request, send } from '../api/send.ts';
import { toFailure } from '../api/to-failure.ts';
import type { Cli } from '../define-command.ts';
import { EXIT } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { openBrowser } from '../open-browser.ts';

const CLIENT = 'servicectl';
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const SLOWER_MS = 5_000;

interface DeviceCode {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

/** Returns the session of the user who approved. */
export async function requestSession({ output }: Cli, url: string, { browser }: { browser: boolean }): Promise<string> {
  const code = (await (await send(url, '/api/auth/device/code', { body: { client_id: CLIENT } })).json()) as DeviceCode;
  output.say(
    `Open this address and confirm that the code is ${code.user_code}:\n\n  ${code.verification_uri_complete}\n`,
  );
  if (browser && output.interactive) await openBrowser(code.verification_uri_complete);
  const done = output.progress('Waiting for approval …');
  try {
    return await poll(url, code);
  } finally {
    done();
  }
}

async function poll(url: string, code: DeviceCode): Promise<string> {
  const deadline = Date.now() + code.expires_in * 1_000;
  let waitMs = code.interval * 1_000;
  while (Date.now() < deadline) {
    await sleep(waitMs);
    const answer = await request(url, '/api/auth/device/token', {
      body: { grant_type: GRANT, device_code: code.device_code, client_id: CLIENT },
    });
    const body = (await answer.json()) as { access_token?: string; error?: string };
    if (answer.ok && body.access_token !== undefined) return body.access_token;
    if (body.error === 'slow_down') waitMs += SLOWER_MS;
    else if (body.error === 'access_denied')
      throw new Failure('the request was declined in the browser', {
        exit: EXIT.signedOut,
        next: 'Run servicectl login again if that was a mistake.',
      });
    else if (body.error === 'expired_token') break;
    else if (body.error !== 'authorization_pending') throw toFailure(answer.status, body);
  }
  throw new Failure('the code expired before it was approved', { exit: EXIT.signedOut, next: 'Run: servicectl login' });
}
