// An answer within the request's limits, with its usage. Ids are digests of the request, so the same request always
// gets exactly the same answer.
import { createHash } from 'node:crypto';
import type { DemoRequest } from './demo-request.ts';
import type { ComposedAnswer } from './compose-answer.ts';
import { countInput, countText, splitTokens } from './count-tokens.ts';
import type { End, Reply } from './reply.ts';

const THINKING = 'A demo model does not think: its answers follow rules.';

export function buildReply(request: DemoRequest, answer: ComposedAnswer, createdAt: Date): Reply {
  const id = createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 24);
  const calls = (request.compacts ? [] : answer.calls).map((call, index) => ({ ...call, id: `${id}${index}` }));
  const { text, end, stopSequence } = limitText(answer.text, request);
  const said = splitTokens(text);
  const pieces = request.maxTokens === undefined ? said : said.slice(0, request.maxTokens);
  const thinking = request.thinks ? THINKING : undefined;
  const outputTokens =
    pieces.length +
    countText(thinking ?? '') +
    calls.reduce((sum, call) => sum + countText(call.name + JSON.stringify(call.arguments)), 0);
  return {
    id,
    model: request.model,
    createdAt,
    thinking,
    pieces,
    calls,
    compacts: request.compacts,
    end: pieces.length < said.length ? 'length' : end,
    stopSequence: pieces.length < said.length ? undefined : stopSequence,
    usage: { inputTokens: countInput(request), outputTokens },
  };
}

/** Up to the first stop sequence. */
function limitText(
  text: string,
  { stops }: Pick<DemoRequest, 'stops'>,
): { text: string; end: End; stopSequence?: string } {
  const [first] = stops
    .map((stop) => ({ stop, at: stop === '' ? -1 : text.indexOf(stop) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at);
  return first
    ? { text: text.slice(0, first.at), end: 'stop-sequence', stopSequence: first.stop }
    : { text, end: 'complete' };
}
