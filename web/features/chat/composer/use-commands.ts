import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { fillPrompt, findVariables } from '../../../../src/contract/prompt-template.ts';
import type { Prompt } from '../../../../src/contract/prompts.ts';
import { offeredPromptsQuery } from '../../prompts/queries.ts';
import { findCommand, offerPrompts } from './command.ts';
import { isSendKey } from '../../../kit/keys/is-send-key.ts';
import { RUN_COMMAND } from './recipe-command.ts';
import { commandStrings as strings } from '../strings.ts';
import { type Offer, type Offers, useOffers } from './use-offers.ts';

/** A prompt whose variables are being filled in. */
export interface Filling {
  readonly prompt: Prompt;
  /** What was typed after the slash. */
  readonly query: string;
}

interface Commands {
  readonly offers: Offers<Offer>;
  /** Whether what is being typed may be the name of a prompt. */
  readonly isTyping: boolean;
  readonly filling: Filling | undefined;
  fill(values: Readonly<Record<string, string>>): void;
  cancel(): void;
}

interface CommandsProps {
  chat: string;
  organization: string;
  text: string;
  caret: number;
  /** The text of the prompt, to be put in place of the slash and the query. */
  onPut: (query: string, filled: string) => void;
  /** The command that starts a recipe was picked. */
  onRun: () => void;
  /** Enter, for a message that turned out to name no prompt. */
  onSend: () => void;
}

type PromptOffer = Offer & { readonly prompt?: Prompt; readonly isRun?: true };

const LONGEST_NOTE = 120;

/** Suggests saved prompts for what is being typed after a slash. One with variables is filled in first. */
export function useCommands({ chat, organization, text, caret, onPut, onRun, onSend }: CommandsProps): Commands {
  const navigate = useNavigate();
  const [filling, setFilling] = useState<Filling & { chat: string; text: string }>();
  const query = findCommand(text, caret);
  const client = useQueryClient();
  const { data, isFetching } = useQuery({
    ...offeredPromptsQuery(organization, query ?? ''),
    enabled: query !== undefined,
    placeholderData: keepPreviousData,
  });
  const found: readonly PromptOffer[] =
    query === undefined ? [] : offerPrompts(data?.prompts ?? [], query).map(toOffer);
  const use = (prompt: Prompt, typed: string): void => {
    if (findVariables(prompt.text).length === 0) onPut(typed, fillPrompt(prompt.text, {}));
    else setFilling({ chat, text, prompt, query: typed });
  };
  const offers = useOffers<PromptOffer>({
    start: query === undefined ? undefined : 0,
    offers: withCommands(found, query, data !== undefined),
    onPick({ prompt, isRun }) {
      if (isRun) return onRun();
      if (prompt === undefined) return void navigate({ to: '/prompts' });
      use(prompt, query ?? '');
    },
  });
  const latest = useRef({ chat, text });
  useEffect(() => {
    latest.current = { chat, text };
  });
  const deciding = useRef(false);
  /** Decides what Enter meant, once the prompts are known or cannot be read. A message changed since then stays. */
  const decide = async (typed: string): Promise<void> => {
    if (deciding.current) return;
    deciding.current = true;
    const read = await client.fetchQuery(offeredPromptsQuery(organization, typed)).catch(() => undefined);
    deciding.current = false;
    if (latest.current.chat !== chat || latest.current.text !== text) return;
    const [prompt] = offerPrompts(read?.prompts ?? [], typed);
    if (prompt) use(prompt, typed);
    else if (typed === RUN_COMMAND) onRun();
    else onSend();
  };
  /** What was typed may name a prompt: it is not sent before the prompts have been read. */
  const waitForPrompts = (event: KeyboardEvent): boolean => {
    if (!query || !isFetching || !isSendKey(event)) return false;
    event.preventDefault();
    void decide(query);
    return true;
  };
  const waiting = { ...offers, onKeyDown: (event: KeyboardEvent) => offers.onKeyDown(event) || waitForPrompts(event) };
  // Another chat, or a changed message, ends it.
  const current = filling?.chat === chat && filling.text === text ? filling : undefined;
  return {
    offers: current === undefined ? waiting : { ...offers, offers: [], active: undefined },
    isTyping: query !== undefined,
    filling: current,
    fill(values) {
      if (current === undefined) return;
      setFilling(undefined);
      onPut(current.query, fillPrompt(current.prompt.text, values));
    },
    cancel: () => setFilling(undefined),
  };
}

/** After the prompts: what starts a recipe, and a way to the page of prompts, also for people who have none yet. */
function withCommands(found: readonly PromptOffer[], query: string | undefined, isKnown: boolean): PromptOffer[] {
  if (query === undefined || !isKnown) return [...found];
  const runs = RUN_COMMAND.startsWith(query) ? [running()] : [];
  return [...found, ...runs, ...(query === '' ? [managing()] : [])];
}

const running = (): PromptOffer => ({
  key: 'run',
  label: `/${RUN_COMMAND}`,
  note: strings.run,
  usable: true,
  isRun: true,
});
const managing = (): PromptOffer => ({ key: 'manage', label: strings.manage, note: strings.manageText, usable: true });

function toOffer(prompt: Prompt): PromptOffer {
  const text = prompt.text.trim().replaceAll(/\s+/g, ' ');
  const start = text.length > LONGEST_NOTE ? `${text.slice(0, LONGEST_NOTE).trimEnd().toWellFormed()}…` : text;
  return {
    key: prompt.id,
    label: `/${prompt.name}`,
    note: prompt.workspace === undefined ? start : strings.shared(start, prompt.workspace.name),
    usable: true,
    prompt,
  };
}
