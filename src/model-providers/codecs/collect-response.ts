import { AppError } from '../../base/errors.ts';
import type { Failure, FinishReason, NeutralEvent, NeutralResponse, OutputPart, Usage } from './neutral.ts';

export interface ResponseCollector {
  add(event: NeutralEvent): void;
  /** The failure reported by the provider, if any. */
  readonly failure: Failure | undefined;
  /** The whole answer; throws `internal` before `finish`. */
  get(): NeutralResponse;
}

/** Collects events into one answer, for a client that does not stream. The decoder limits the size. */
export function createResponseCollector(): ResponseCollector {
  const parts: OutputPart[] = [];
  let id = '';
  let model = '';
  let usage: Usage | undefined;
  let finish: FinishReason | undefined;
  let stopSequence: string | undefined;
  let failure: Failure | undefined;

  function append(type: 'text' | 'refusal' | 'reasoning', text: string): void {
    const last = parts.at(-1);
    if (
      last?.type === type &&
      !(last.type === 'reasoning' && (last.signature !== undefined || last.redacted !== undefined))
    )
      parts[parts.length - 1] = { ...last, text: last.text + text };
    else if (text !== '') parts.push({ type, text });
  }

  return {
    add(event) {
      const last = parts.at(-1);
      switch (event.type) {
        case 'start':
          ({ id, model } = event);
          break;
        case 'text':
        case 'refusal':
        case 'reasoning':
          append(event.type, event.text);
          break;
        case 'reasoning-signature':
          if (last?.type === 'reasoning' && last.signature === undefined && last.redacted === undefined)
            parts[parts.length - 1] = { ...last, signature: event.signature };
          else parts.push({ type: 'reasoning', text: '', signature: event.signature });
          break;
        case 'reasoning-redacted':
          parts.push({ type: 'reasoning', text: '', redacted: event.data });
          break;
        case 'tool-start':
          parts.push({ type: 'tool-call', id: event.id, name: event.name, arguments: '' });
          break;
        case 'tool-arguments':
          if (last?.type === 'tool-call') parts[parts.length - 1] = { ...last, arguments: last.arguments + event.text };
          break;
        case 'tool-end':
          break;
        case 'usage':
          ({ usage } = event);
          break;
        case 'finish':
          finish = event.reason;
          ({ stopSequence } = event);
          break;
        case 'error': {
          const { type: _, ...rest } = event;
          failure = rest;
          break;
        }
      }
    },
    get failure() {
      return failure;
    },
    get() {
      if (finish === undefined) throw new AppError('internal');
      return { id, model, parts, finish, stopSequence, usage };
    },
  };
}

export function collectResponse(events: readonly NeutralEvent[]): NeutralResponse | Failure {
  const collector = createResponseCollector();
  for (const event of events) collector.add(event);
  return collector.failure ?? collector.get();
}
