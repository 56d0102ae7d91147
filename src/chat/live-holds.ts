// What the answers under way of this process have cost so far, written to their holds from time to time: if the process
// is killed, they are settled at that. One statement for all of them, and none when nothing has been added.
import type { Noted } from '../enforcement/settle.ts';
import type { AnswerReader } from './answer-reader.ts';
import { costOf, usageFromStreamed } from './estimate-cost.ts';
import type { Route } from './decide-turn.ts';
import type { ProviderRequest } from './provider-request.ts';

/** A turn whose provider was called; nothing is held where an override pays. */
export interface CalledTurn {
  readonly route: Route;
  readonly prepared: ProviderRequest;
  readonly holdId?: string | undefined;
}

export interface LiveHolds {
  /** The answer to a turn has begun: what is read of it counts until it is forgotten. */
  add(turn: CalledTurn, reader: AnswerReader): void;
  forget(holdId: string | undefined): void;
  /** What has cost more than when this was last asked. */
  takeNews(): Noted[];
}

interface Live {
  readonly turn: CalledTurn;
  readonly reader: AnswerReader;
  noted: number;
}

export function createLiveHolds(): LiveHolds {
  const live = new Map<string, Live>();
  return {
    add: (turn, reader) => void (turn.holdId !== undefined && live.set(turn.holdId, { turn, reader, noted: 0 })),
    forget: (holdId) => void (holdId !== undefined && live.delete(holdId)),
    takeNews: () =>
      [...live].flatMap(([holdId, one]) => {
        const outputBytes = one.reader.outputBytes?.() ?? 0;
        const price = one.turn.route.declared?.price;
        if (outputBytes <= one.noted || !price) return [];
        one.noted = outputBytes;
        const used = usageFromStreamed(one.turn.prepared.bound?.likelyInputTokens ?? 0, outputBytes);
        return [{ holdId, costMicros: costOf(price, used), outputTokens: used.outputTokens }];
      }),
  };
}
