import { request } from '../api/send.ts';
import { failureOf } from '../api/to-failure.ts';

/** Throws unless the service accepts the token. A token without the scope to read receipts is fine. */
export async function checkToken(url: string, token: string): Promise<void> {
  const path = '/runtime/service/stream?limit=1';
  const answer = await request(url, path, { bearer: token });
  if (!answer.ok && answer.status !== 403) throw await failureOf(answer, path);
  await answer.body?.cancel();
}
