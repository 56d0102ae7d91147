import { AppError } from '../../base/errors.ts';
import { isAbsent, type Loose } from '../codecs/read-fields.ts';

/**
 * A thread stands for messages that are not in the request: on platform credit none is taken. Anthropic's client knows
 * this refusal, and sends the whole conversation instead. It comes before that of the beta, which it sends along.
 */
export function refuseThread({ thread }: Loose): void {
  if (!isAbsent(thread)) throw new AppError('thread_unsupported_request');
}
