// Requests to the diagnostics of the service, which the debug token opens.
import { findAccount } from '../../account.ts';
import { sendForJson } from '../../api/send.ts';
import type { Cli, Common } from '../../define-command.ts';
import { EXIT } from '../../exit-codes.ts';
import { Failure, usage } from '../../failure.ts';

export type OperatorOptions = Common & { debugToken?: string };

export const DEBUG_TOKEN = [
  '--debug-token <token>',
  'debug token of the service (default: SERVICE_DEBUG_TOKEN)',
] as const;

export async function askOperator<T>(
  { host }: Cli,
  options: OperatorOptions,
  { method, path, body }: { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; body?: unknown },
): Promise<T> {
  const bearer = options.debugToken ?? host.environment['SERVICE_DEBUG_TOKEN'];
  if (!bearer)
    throw new Failure("this command needs the service's debug token", {
      exit: EXIT.signedOut,
      next: 'Set SERVICE_DEBUG_TOKEN, or use --debug-token.',
    });
  const { url } = await findAccount(host, options);
  return sendForJson<T>(url, path, { method, bearer: checkDebugToken(bearer.trim()), body }).catch((error: unknown) => {
    if (error instanceof Failure && error.exit === EXIT.signedOut)
      throw new Failure('the service does not accept this debug token', {
        exit: EXIT.signedOut,
        next: 'Check SERVICE_DEBUG_TOKEN with the operator of the service.',
      });
    throw error;
  });
}

/** The token may contain spaces; characters that a header cannot hold are refused without repeating the token. */
function checkDebugToken(token: string): string {
  if (/^[\x20-\x7E]+$/.test(token)) return token;
  throw usage(
    'the debug token contains characters that cannot be sent',
    'Set SERVICE_DEBUG_TOKEN to plain ASCII characters, on the service and here.',
  );
}
