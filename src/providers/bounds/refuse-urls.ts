import type { InputPart, NeutralRequest } from '../codecs/neutral.ts';
import { createFaults } from '../codecs/read-fields.ts';
import { refuseReference } from './rules.ts';

/** A request that is translated keeps of an address where the client wrote it. */
export function refuseUrls({ messages }: NeutralRequest): void {
  const faults = createFaults();
  const look = (parts: readonly InputPart[]): void => {
    for (const part of parts)
      if (part.type !== 'text' && part.source.kind === 'url') refuseReference(faults, part.source.at ?? 'messages');
  };
  for (const message of messages) {
    if (message.role === 'user') look(message.parts);
    else if (message.role === 'tool') for (const { parts } of message.results) look(parts);
  }
  faults.throwAny();
}
