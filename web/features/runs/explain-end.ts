import { serverTexts } from '../../api/error-strings.ts';
import { endTexts } from './strings.ts';

/** Why a run failed or was aborted, in the language of the page. The server's sentence ends with the code. */
export function explainEnd(error: string): string {
  const [, said, code] = /^([^]+) \(([a-z_]+(?::[a-z_]+)*)\)$/.exec(error) ?? [];
  if (said === undefined || code === undefined) return error;
  const text = endTexts[code] ?? serverTexts[code] ?? serverTexts[code.split(':', 1)[0] ?? ''];
  return text === undefined ? error : `${typeof text === 'string' ? text : text(said)} (${code})`;
}
