import { z } from 'zod';
import { CHANGED } from '../../contract/changes.ts';
import type { DescribedRoute } from './described-route.ts';

const change = z.object({
  table: z.enum([...CHANGED, '*']),
  workspace: z.string().optional(),
  id: z.string().optional(),
});

export const CHANGE_ROUTES: readonly DescribedRoute[] = [
  {
    method: 'GET',
    path: '/api/changes',
    tag: 'People',
    caller: 'session',
    summary: 'Follow changes in an organization as they happen',
    description:
      'Server-sent events for members: `{"changes": [{"table", "workspace"?, "id"?}]}` says where something changed, never what; read it again. `table` is `*` when everything should be read again, which also applies after a gap. An event `alive` is sent every 15 seconds. The stream ends with the membership or the session.',
    query: z.object({ organization: z.string() }),
    answers: {
      200: {
        text: 'The changes',
        content: [{ type: 'text/event-stream', schema: z.object({ changes: z.array(change) }) }],
      },
    },
  },
];
