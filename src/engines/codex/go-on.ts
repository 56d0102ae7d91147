// How a Codex run goes on: Codex keeps its conversation in its own session file, which is kept with the workspace. What
// the file may lack is told from the run's journal; what people said meanwhile is the next prompt.
import type { ModelMessage } from 'ai';
import type { Journal } from '../../runs/record/journal.ts';

const MARK = 'codex:';
const TOLD_CHARS = 2_000;
const MOST_CALLS = 20;
const EARLIER_CHARS = 100_000;

/** What a saved workspace is kept under: how far the journal was told to Codex before its last request to the model. */
export function savedAt(entries: number): string {
  return `${MARK}${entries}`;
}

/** Undefined where the workspace holds no session of Codex. */
export function toldUntil(restored: string | undefined): number | undefined {
  return restored?.startsWith(MARK) === true ? Number(restored.slice(MARK.length)) : undefined;
}

/** The prompt of an attempt that goes on with a session. */
export function promptToGoOn(journal: Journal, until: number): string {
  const since = journal.slice(until);
  const ended = new Map(since.flatMap((entry) => (entry.type === 'ended' ? [[entry.call, entry] as const] : [])));
  const calls = since.flatMap((entry) => (entry.type === 'started' ? [entry] : [])).slice(-MOST_CALLS);
  return [
    'You were interrupted: the machine that you worked on was lost, and you go on on another one, with the conversation and the files as they were last kept. Go on with your objective.',
    ...(calls.length === 0
      ? []
      : [
          'This is what you did last, as it was recorded; the conversation may lack some of it. Do not repeat what changed something outside before you have looked.',
          ...calls.map(({ tool, call, asked }) => {
            const end = ended.get(call);
            const how = end === undefined || end.unknown ? 'its end is not known' : `answered:\n${cut(end.output)}`;
            return `- ${tool} ${cut(JSON.stringify(asked))}: ${how}`;
          }),
        ]),
    ...since.flatMap((entry) => (entry.type === 'message' ? [`Meanwhile the person said:\n\n${entry.text}`] : [])),
  ].join('\n\n');
}

/** For a run that continues one whose session is gone. */
export function promptWithEarlier(objective: string, earlier: readonly ModelMessage[]): string {
  const said = earlier.flatMap(({ role, content }) => {
    const text =
      typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join('');
    return (role === 'user' || role === 'assistant') && text !== ''
      ? [`${role === 'user' ? 'The person' : 'You'}:\n${text}`]
      : [];
  });
  if (said.length === 0) return objective;
  return `This goes on from an earlier conversation:\n\n${said.join('\n\n').slice(-EARLIER_CHARS)}\n\nThe person now says:\n\n${objective}`;
}

function cut(text: string): string {
  return text.length > TOLD_CHARS ? `${text.slice(0, TOLD_CHARS)} […]` : text;
}
