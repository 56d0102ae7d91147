import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { type Account, findAccount, requireSession } from '../account.ts';
import type { WebClient } from '../api/typed-clients.ts';
import { inWorkspace } from '../connections-api.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';
import { Failure } from '../failure.ts';
import { organizationOf } from '../organization-of.ts';
import { IMPORT_LIMITS } from '../../src/contract/imports/import-words.ts';
import type { ChatImport } from '../../src/contract/imports/imports.ts';

interface ImportOptions extends Common {
  readonly workspace?: string;
  readonly projects: boolean;
}

const ASK_AGAIN_MS = 1_000;
const PART_TIMEOUT_MS = 5 * 60_000;

export function addImport(group: Command, cli: Cli): void {
  defineCommand(group, {
    name: 'import <file>',
    summary: 'Import chats that ChatGPT, Claude or LibreChat exported, as ZIP or JSON; follows it to its end',
    example: 'servicectl chats import chatgpt-export.zip --workspace research',
  })
    .option('--workspace <workspace>', 'where the chats go, by ID or slug (default: Default)')
    .option('--no-projects', 'do not make the projects of the export in the workspace')
    .action((file: string, options: ImportOptions) => importChats(cli, file, options));
}

async function importChats(cli: Cli, file: string, options: ImportOptions): Promise<void> {
  const { output } = cli;
  const content = await openAsBlob(file).catch((error: Error) => {
    throw new Failure(`cannot read ${file}: ${error.message}`, { next: 'Check the path.' });
  });
  const account = await findAccount(cli.host, options);
  const { webClient } = await import('../api/typed-clients.ts');
  const { imports } = webClient(account);
  const { import: begun } = await imports.create({
    organization: organizationOf(account),
    ...inWorkspace(options.workspace),
    name: basename(file),
    size: content.size,
    projects: options.projects,
  });
  const stop = output.progress('Uploading…');
  try {
    await sendParts(account, begun.id, content);
  } catch (error) {
    await imports.cancel({ import: begun.id }).catch(() => {});
    throw error;
  } finally {
    stop();
  }
  await imports.start({ import: begun.id });
  const ended = await follow(cli, imports, begun.id);
  if (options.json) return output.json({ import: ended });
  const { taken, present, leftOut } = ended;
  output.say(`Imported: ${taken}. Already here: ${present}. Not imported: ${leftOut}.`);
  if (ended.state === 'done') return output.say(`For the report, open ${account.url}/imports/${ended.id}`);
  throw new Failure(ended.state === 'cancelled' ? 'the import was cancelled' : 'the file could not be imported', {
    error: ended.reason ?? ended.state,
    next: `What was imported stays. For the report, open ${account.url}/imports/${ended.id}`,
  });
}

async function sendParts(account: Account, id: string, content: Blob): Promise<void> {
  const { send } = await import('../api/send.ts');
  for (let part = 0; part * IMPORT_LIMITS.partBytes < content.size; part++) {
    const from = part * IMPORT_LIMITS.partBytes;
    await send(account.url, `/api/imports/${encodeURIComponent(id)}/parts/${part}`, {
      method: 'PUT',
      bearer: requireSession(account),
      form: content.slice(from, from + IMPORT_LIMITS.partBytes, 'application/octet-stream'),
      timeoutMs: PART_TIMEOUT_MS,
    });
  }
}

/** It goes on without us: who interrupts this finds it again in the web app. */
async function follow(cli: Cli, imports: WebClient['imports'], id: string): Promise<ChatImport> {
  for (;;) {
    const { import: found } = await imports.show({ import: id });
    if (found.endedAt !== undefined) return found;
    const stop = cli.output.progress(`Importing… ${Math.round(found.progress * 100)}%, ${found.taken} imported`);
    await sleep(ASK_AGAIN_MS);
    stop();
  }
}
