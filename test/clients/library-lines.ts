// The lines of the page for libraries, and for curl, run as they stand. The project has the installed packages.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CHAT_CLIENTS, type ChatClientId } from '../../web/features/mcp-gateway/clients/chat-clients.ts';
import type { ClientUnderTest } from './client.ts';
import { runLines } from './run-lines.ts';

const LIBRARIES = {
  'openai-typescript': 'openai',
  'anthropic-typescript': '@anthropic-ai/sdk',
  'ai-sdk': 'ai',
  langchain: '@langchain/openai',
  curl: undefined,
} as const satisfies Partial<Record<ChatClientId, string | undefined>>;

export const LIBRARY_LINES: readonly ClientUnderTest[] = (Object.keys(LIBRARIES) as (keyof typeof LIBRARIES)[]).map(
  (client) => ({
    name: `${CHAT_CLIENTS[client].name}, lines of the page`,
    package: LIBRARIES[client],
    async run(at) {
      await symlink(join(at.installed.directory, 'node_modules'), join(at.place.project, 'node_modules'));
      const { code, stdout, stderr } = await (await runLines(at, { client })).ended;
      // Of a stream only the first piece can be looked for.
      const expected = at.credential === 'demo' ? 'Demo' : 'Nothing';
      return [
        {
          step: 'lines',
          ...(code === 0 && stdout.includes(expected)
            ? {}
            : { fault: `ended with ${code}: ${`${stdout} ${stderr}`.slice(-500)}` }),
        },
      ];
    },
  }),
);
