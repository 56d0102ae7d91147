import { AppError } from '../base/errors.ts';
import { STORED_LIMITS } from './stored-response.ts';

export interface Inserted {
  readonly tooLong: boolean;
  /** What is inserted into the request, by position. */
  readonly bytes: number;
}

/** Before anything is built of it. `sent` is the size of the request itself. */
export function refuseTooLong({ tooLong, bytes }: Inserted, sent: number): void {
  const { conversationBytes, conversationResponses } = STORED_LIMITS;
  if (tooLong || (bytes > 0 && bytes + sent > conversationBytes))
    throw new AppError('request_too_large', {
      param: 'input',
      limitBytes: conversationBytes,
      limitResponses: conversationResponses,
    });
}
