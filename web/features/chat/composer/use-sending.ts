import { useEffect, useEffectEvent, useState } from 'react';
import type { Question, Turn } from '../answer/turns.ts';
import type { Draft } from './draft.ts';
import { changeDraft, draftText, EMPTY_DRAFT, isEmpty } from './drafts.ts';
import { composerStrings as strings } from '../strings.ts';
import type { useMentions } from './use-mentions.ts';

export interface SendingProps {
  chat: string;
  phase: Turn['phase'] | undefined;
  /** Whether the workspace and model are known; until then a message waits. */
  ready: boolean;
  /** Why nothing can be sent now. */
  blocked?: string | undefined;
  /** Why no run can be started now. */
  runBlocked?: string | undefined;
  /** The chosen mode; undefined if it depends on the message. */
  mode: Question['mode'];
  onMode: (mode: Question['mode']) => void;
  onSend: (question: Question) => void;
  /** While an answer runs; false if too many messages wait already. */
  onQueue: (question: Question) => boolean;
}

export interface ComposerProblem {
  readonly text: string;
  /** The connector to connect. */
  readonly app?: string;
}

interface Written {
  draft: Draft;
  mentions: Pick<ReturnType<typeof useMentions>, 'isLoading' | 'unusable'>;
  /** The mode if none is chosen. */
  shownMode: Question['mode'];
}

interface Sending {
  send(): void;
  /** Sends this in place of what is typed; returns whether it did. */
  start(question: Question): boolean;
  readonly busy: boolean;
  readonly problem: ComposerProblem | undefined;
  clearProblem(): void;
}

const MOST_CHARACTERS = 2_000_000;

/** Sends the draft: now, once the workspace is known, or after the running answer. Reports what prevents it. */
export function useSending(
  { chat, phase, ready, blocked, runBlocked, mode, onMode, onSend, onQueue }: SendingProps,
  { draft, mentions, shownMode }: Written,
): Sending {
  const [problem, setProblem] = useState<ComposerProblem>();
  const [waiting, setWaiting] = useState(false);
  const busy = phase === 'sending' || phase === 'answering' || phase === 'stopping';
  // With files, whether it can be sent depends on the mentions.
  const settled = ready && !(draft.files.length > 0 && mentions.isLoading);

  const send = (): void => {
    if (isEmpty(draft)) return;
    if (!settled) return setWaiting(true);
    const text = draftText(draft);
    const attachments = draft.files.flatMap(({ uploaded }) => uploaded ?? []);
    const waits = draft.files.some((file) => file.uploaded === undefined && file.problem === undefined);
    const found =
      blocked ??
      (shownMode === 'background' ? (runBlocked ?? refuseFiles(attachments.length, mentions.unusable)) : undefined) ??
      (waits ? strings.waitForUpload : text.length > MOST_CHARACTERS ? strings.tooLong : undefined);
    setProblem(typeof found === 'string' ? { text: found } : found);
    if (found !== undefined || (text === '' && attachments.length === 0)) return;
    const question = { text, attachments, ...(mode === undefined ? {} : { mode }) };
    if (busy && !onQueue(question)) return setProblem({ text: strings.queueFull });
    changeDraft(chat, () => EMPTY_DRAFT);
    if (!busy) onSend(question);
    onMode(undefined);
  };

  const start = (question: Question): boolean => {
    if (!ready) return false;
    const found = blocked ?? (busy && !onQueue(question) ? strings.queueFull : undefined);
    setProblem(found === undefined ? undefined : { text: found });
    if (found !== undefined) return false;
    changeDraft(chat, (known) => ({ ...known, text: '' }));
    if (!busy) onSend(question);
    return true;
  };

  const sendNow = useEffectEvent(() => {
    setWaiting(false);
    send();
  });
  useEffect(() => {
    if (waiting && settled) queueMicrotask(sendNow);
  }, [waiting, settled]);
  return { send, start, busy, problem, clearProblem: () => setProblem(undefined) };
}

/** Runs accept no files. An unusable app is reported first. */
function refuseFiles(
  files: number,
  unusable: { readonly connector: string; readonly name: string; readonly why?: string } | undefined,
): string | ComposerProblem | undefined {
  if (files === 0) return undefined;
  if (unusable === undefined) return strings.noFiles;
  const { connector, name, why } = unusable;
  return { text: why === undefined ? strings.appMissing(name) : strings.appUnusable(name, why), app: connector };
}
