// An answer as the bytes of a stream, in a legal order of events and a legal form of server-sent events that a seed
// chooses. The bytes come in pieces that break anywhere, in the middle of a character too.
import type { Protocol } from '../../../src/model-providers/codecs/neutral.ts';
import type { Frame, StreamedAnswer } from './answer.ts';
import { type Chance, createChance } from './chance.ts';
import { chatStream } from './chat-stream.ts';
import { messagesStream } from './messages-stream.ts';
import { responsesStream } from './responses-stream.ts';

const STREAMS = { chat: chatStream, messages: messagesStream, responses: responsesStream } as const satisfies Record<
  Protocol,
  (answer: StreamedAnswer, chance: Chance) => Frame[]
>;

export function legalStream(protocol: Protocol, answer: StreamedAnswer, seed: number): Buffer[] {
  const chance = createChance(seed);
  const text = format(STREAMS[protocol](answer, chance), chance);
  return cutBytes(Buffer.from(text), chance);
}

function format(frames: readonly Frame[], chance: Chance): string {
  const end = chance.oneIn(2) ? '\n' : '\r\n';
  const space = chance.oneIn(4) ? '' : ' ';
  const spaced = chance.oneIn(3);
  return frames
    .map(({ event, data }) => {
      const text =
        typeof data === 'string'
          ? data
          : spaced
            ? JSON.stringify(data, undefined, 1).replace(/\n */g, ' ')
            : JSON.stringify(data);
      const comment = chance.oneIn(10) ? `: keep-alive${end}${chance.oneIn(2) ? end : ''}` : '';
      return `${comment}${event === undefined ? '' : `event:${space}${event}${end}`}data:${space}${text}${end}${end}`;
    })
    .join('');
}

function cutBytes(bytes: Buffer, chance: Chance): Buffer[] {
  const most = [1, 7, 100, 10_000][chance.below(4)] ?? 1;
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = 1 + chance.below(most);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}
