// The lines of the page as a person pastes them: files go where their title says, the rest into one shell.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type ChatClientId, chatSnippetsFor } from '../../web/features/mcp-gateway/clients/chat-clients.ts';
import type { Case } from './client.ts';
import { type Running, runProgram } from './run-program.ts';

/** Of any model: the stand-in has none. */
const WINDOW = { contextWindow: 200_000, maxOutputTokens: 32_000 } as const;

interface Lines {
  readonly client: ChatClientId;
  readonly model?: string;
  /** What becomes of the line that asks one question. */
  readonly change?: (line: string) => string;
}

export async function runLines(
  at: Case,
  { client, model = at.model, change = (line) => line }: Lines,
): Promise<Running> {
  const shell: string[] = [];
  for (const { file, language, text, isTry } of chatSnippetsFor(client, {
    origin: at.origin,
    token: at.token,
    model,
    ...WINDOW,
  })) {
    if (file !== undefined) {
      const path = file.startsWith('~/') ? join(at.place.home, file.slice(2)) : join(at.place.project, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    } else if (language === 'sh') shell.push(isTry ? change(text) : text);
  }
  const running = runProgram('bash', ['-c', shell.join('\n')], at.place);
  running.child.stdin.end();
  return running;
}
