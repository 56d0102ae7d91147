// The door for text in an address, as parse-json.ts is for text in a body: nothing behind it meets a zero character or
// half a surrogate pair in a path or a query.
import { AppError } from '../../base/errors.ts';
import { UNSTORABLE } from '../../base/storable-json.ts';

/** U+0000, or a surrogate in UTF-8. `ED` is always the first byte of a character, so nothing else looks like it. */
const FAULT = /%00|%ed%[ab]/i;

export function requireUrlText(url: string): void {
  if (!FAULT.test(url)) return;
  const [path = '', query = ''] = url.split('?', 2);
  const field = query.split('&').find((part) => FAULT.test(part));
  const name = FAULT.test(path) ? 'path' : (field?.split('=', 1)[0] ?? '');
  throw new AppError('invalid_request', { [FAULT.test(name) ? 'query' : name]: UNSTORABLE });
}
