import { createFaults, isAbsent, type Loose } from '../codecs/read-fields.ts';
import { refuseReference } from './rules.ts';

/**
 * A thread stands for messages that are not in the request. It is refused before the beta that comes with it: from
 * this refusal Anthropic's client goes on by itself, and sends the whole conversation without either.
 */
export function refuseThread({ thread }: Loose): void {
  const faults = createFaults();
  if (!isAbsent(thread)) refuseReference(faults, 'thread');
  faults.throwAny();
}
