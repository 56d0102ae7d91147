// An answer within the limits that the request set, with its figures. Ids are digests of the request, so that the
// same request has the same answer to the last letter.
import { createHash } from 'node:crypto';
import type { Asked } from './asked.ts';
import type { Answer } from './compose-answer.ts';
import { countInput, countText, splitTokens } from './count-tokens.ts';
import type { End, Reply } from './reply.ts';

const THINKING = 'A demo model does not think: its answers follow rules.';

export function buildReply(asked: Asked, answer: Answer, createdAt: Date): Reply {
  const id = createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 24);
  const calls = answer.calls.map((call, index) => ({ ...call, id: `${id}${index}` }));
  const { text, end, stopSequence } = limitText(answer.text, asked);
  const said = splitTokens(text);
  const pieces = asked.maxTokens === undefined ? said : said.slice(0, asked.maxTokens);
  const thinking = asked.thinks ? THINKING : undefined;
  const outputTokens =
    pieces.length +
    countText(thinking ?? '') +
    calls.reduce((sum, call) => sum + countText(call.name + JSON.stringify(call.arguments)), 0);
  return {
    id,
    model: asked.model,
    createdAt,
    thinking,
    pieces,
    calls,
    end: pieces.length < said.length ? 'length' : end,
    stopSequence: pieces.length < said.length ? undefined : stopSequence,
    usage: { inputTokens: countInput(asked), outputTokens },
  };
}

/** Up to the stop sequence that comes first. */
function limitText(text: string, { stops }: Pick<Asked, 'stops'>): { text: string; end: End; stopSequence?: string } {
  const [first] = stops
    .map((stop) => ({ stop, at: stop === '' ? -1 : text.indexOf(stop) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at);
  return first
    ? { text: text.slice(0, first.at), end: 'stop-sequence', stopSequence: first.stop }
    : { text, end: 'complete' };
}
