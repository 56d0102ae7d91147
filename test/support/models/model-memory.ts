// What a scripted provider keeps of its responses, by key as the real one does by project: what a later request may
// build on or refer to.
import type { IncomingHttpHeaders } from 'node:http';
import { wholeResponse } from '../../../stand-ins/models/write-responses.ts';
import type { Kept } from '../../../stand-ins/models/rules/responses-rules.ts';
import { wholeAnswer } from '../legal-streams/whole-answer.ts';
import { replyOf, type Script, streamedAnswer, type Taken } from './model-scripts.ts';

interface Memory extends Kept {
  /** Notes what the script is about to answer, unless the request says that nothing is to be stored. */
  keep(script: Script, taken: Taken): void;
}

export function createMemory(): { of(headers: IncomingHttpHeaders): Memory } {
  const byKey = new Map<string, Set<string>>();
  return {
    of(headers) {
      const key = headers.authorization ?? '';
      const ids = byKey.get(key) ?? new Set<string>();
      byKey.set(key, ids);
      return {
        response: (id) => ids.has(id),
        item: (id) => ids.has(id),
        keep(script, { path, json, number }) {
          if (
            path !== '/v1/responses' ||
            'status' in script ||
            'redirectTo' in script ||
            (json as { store?: boolean } | undefined)?.store === false
          )
            return;
          const whole =
            'blocks' in script
              ? wholeAnswer('responses', streamedAnswer(script, { path, json, number }))
              : wholeResponse(replyOf(script, '', number));
          const { id, output } = whole as { id: string; output: { id: string }[] };
          for (const one of [id, ...output.map((item) => item.id)]) ids.add(one);
        },
      };
    },
  };
}
