import { request } from '../api/send.ts';
import { toFailure } from '../api/to-failure.ts';

/** Throws unless the service accepts the token. A token without the scope to read receipts is fine. */
export async function checkToken(url: string, token: string): Promise<void> {
  const answer = await request(url, '/runtime/service/stream?limit=1', { bearer: token });
  if (!answer.ok && answer.status !== 403) throw toFailure(answer.status, await answer.json().catch(() => undefined));
  await answer.body?.cancel();
}
