import { request } from '../api/send.ts';
import { toFailure } from '../api/to-failure.ts';

/** Fails unless the service accepts the token. One that may not read receipts is accepted all the same. */
export async function checkToken(url: string, token: string): Promise<void> {
  const answer = await request(url, '/runtime/service/stream?limit=1', { bearer: token });
  if (!answer.ok && answer.status !== 403) throw toFailure(answer.status, await answer.json().catch(() => undefined));
  await answer.body?.cancel();
}
