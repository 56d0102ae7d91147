// A question in a project, over /api/chat: unlike one over /v1 it is stored as a chat, with the instructions and files of
// the project.
import { type Account, requireSession } from '../account.ts';
import { readEvents } from '../api/read-events.ts';
import { send } from '../api/send.ts';
import type { Cli } from '../define-command.ts';
import { Failure } from '../failure.ts';
import { organizationOf } from '../organization-of.ts';
import { writeAnswer } from './write-answer.ts';

export interface ProjectQuestion {
  readonly project: string;
  /** That of the project, if none is given. */
  readonly model: string | undefined;
  readonly text: string;
  readonly effort?: string | undefined;
  readonly temperature?: number | undefined;
}

interface Source {
  readonly number: number;
  readonly name: string;
}

interface Chunk {
  readonly type: string;
  readonly delta?: string;
  readonly errorText?: string;
  readonly messageMetadata?: Readonly<Record<string, unknown>> & { readonly sources?: readonly Source[] };
}

const TIMEOUT_MS = 10 * 60_000;
const MODEL = 'service/auto';

export async function answerInProject(
  { output }: Cli,
  account: Account,
  { project, model, text, effort, temperature }: ProjectQuestion,
  { json, stream, raw }: Readonly<Record<'json' | 'stream' | 'raw', boolean | undefined>>,
): Promise<void> {
  const answer = await send(account.url, '/api/chat', {
    bearer: requireSession(account),
    body: {
      organization: organizationOf(account),
      project,
      model: model ?? (await findModel(account, project)),
      message: { text },
      mode: 'answer',
      ...(effort === undefined ? {} : { effort }),
      ...(temperature === undefined ? {} : { temperature }),
    },
    accept: 'text/event-stream',
    timeoutMs: TIMEOUT_MS,
    stream: true,
  });
  const live = stream === true || (output.watched && !json);
  const writer = live && !json ? await writeAnswer(output, raw) : undefined;
  let said = '';
  let metadata: Chunk['messageMetadata'] = {};
  for await (const chunk of readChunks(answer)) {
    metadata = { ...metadata, ...chunk.messageMetadata };
    if (live && json) output.jsonLine(chunk);
    if (chunk.type !== 'text-delta' || chunk.delta === undefined) continue;
    said += chunk.delta;
    writer?.push(chunk.delta);
  }
  const thread = answer.headers.get('x-service-thread');
  if (json) return live ? undefined : output.json({ thread, text: said, metadata });
  if (writer) writer.end();
  else output.line(said);
  for (const { number, name } of metadata.sources ?? []) output.say(`[${number}] ${name}`);
  if (output.watched && thread !== null) output.say(`Stored as a chat: ${account.url}/chat/${thread}`);
}

async function findModel(account: Account, project: string): Promise<string> {
  const { webClient } = await import('../api/typed-clients.ts');
  return (await webClient(account).projects.show({ project })).project.model ?? MODEL;
}

/** An error in the middle of the stream throws. */
async function* readChunks(answer: Response): AsyncGenerator<Chunk> {
  for await (const { data } of readEvents(answer)) {
    if (data === '[DONE]') return;
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.type === 'error')
      throw new Failure(chunk.errorText ?? 'the answer failed', {
        next: 'Ask again, or open the chat in the web app.',
      });
    yield chunk;
  }
  throw new Failure('the answer was cut off', { next: 'Ask again.' });
}
