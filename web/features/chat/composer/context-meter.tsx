// One quiet figure beside the model: how full its context is with the next message, and what that message is likely to
// cost. Pointing at it, focusing or tapping it shows what counts; a line says when messages are left out.
import './context-meter.css';
import { Button, Popover, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type FocusEvent, type PointerEvent, type ReactElement, useMemo, useState } from 'react';
import type { ListedModel } from '../../../../src/contract/models.ts';
import type { Message } from '../../../../src/contract/threads.ts';
import { Icon } from '../../../kit/look/icons.tsx';
import { formatCompact, formatCost, formatNumber } from '../../../language/format.ts';
import {
  type ContextFigures,
  measureContext,
  type PriceFigures,
  priceNext,
  roomierModels,
  tokensOf,
} from './context-meter-figures.ts';
import { meterStrings as strings } from './context-meter-strings.ts';
import { modelStrings } from '../strings.ts';
import { draftText, isEmpty, useDraft } from './drafts.ts';

interface ContextMeterProps {
  chat: string;
  messages: readonly Message[];
  list: { readonly models: readonly ListedModel[]; readonly demo: boolean };
  model: ListedModel;
  /** Of the project. */
  instructions: string | undefined;
  onPick: (model: string) => void;
  onSummarize: () => void;
}

/** `hint` while it is pointed at or focused; `held` once it was pressed. */
type Opened = 'hint' | 'held' | undefined;

export function ContextMeter(props: ContextMeterProps): ReactElement {
  const { chat, messages, list, model, instructions } = props;
  const draft = useDraft(chat);
  const figures = useMemo(() => {
    const next = { text: draftText(draft), files: draft.files.flatMap(({ uploaded }) => uploaded ?? []) };
    return measureContext(messages, next, model, instructions);
  }, [draft, messages, model, instructions]);
  const price = priceNext(messages, figures, model, list);
  const [opened, setOpened] = useState<Opened>();
  const closeHint = (): void => setOpened((now) => (now === 'hint' ? undefined : now));
  const leave = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget)) setOpened(undefined);
  };
  const point = ({ pointerType }: PointerEvent): void => {
    if (pointerType === 'mouse') setOpened((now) => now ?? 'hint');
  };
  const warns = figures.state !== 'fine';
  return (
    <>
      <div className="context-meter" onPointerEnter={point} onPointerLeave={closeHint} onBlur={leave}>
        <Popover
          opened={opened !== undefined}
          onChange={(open) => setOpened(open ? 'held' : undefined)}
          position="top"
          width="min(320px, calc(100vw - 2rem))"
          shadow="md"
          withinPortal={false}
        >
          <Popover.Target>
            <UnstyledButton
              className="model-button context-figure"
              data-warns={warns || undefined}
              onFocus={({ currentTarget }) => {
                if (currentTarget.matches(':focus-visible')) setOpened((now) => now ?? 'hint');
              }}
              onClick={() => setOpened((now) => (now === 'held' ? undefined : 'held'))}
            >
              {warns && <Icon name="alert" size={14} />}
              <VisuallyHidden>{strings.label}</VisuallyHidden>
              {describeShare(figures)}
              {'cost' in price && <span className="context-cost"> · {strings.about(formatCost(price.cost))}</span>}
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown>
            <Details
              {...props}
              figures={figures}
              price={price}
              bare={isEmpty(draft)}
              onDone={() => setOpened(undefined)}
            />
          </Popover.Dropdown>
        </Popover>
      </div>
      <output className="context-warning">{warningOf(figures)}</output>
    </>
  );
}

/** 100 only when it is full, 0 only when it is empty. */
function describeShare({ used, budget }: ContextFigures): string {
  const percent = Math.floor((used / budget) * 100);
  return used > 0 && percent === 0 ? strings.underOne : strings.percent(percent);
}

/** Only what is about to happen stands in the page by itself. */
function warningOf({ state, leftOut }: ContextFigures): string | undefined {
  if (state === 'too-long') return strings.tooLong;
  if (state !== 'cuts') return undefined;
  return leftOut > 0 ? strings.leftOut(leftOut) : strings.cuts;
}

interface DetailsProps extends ContextMeterProps {
  figures: ContextFigures;
  price: PriceFigures;
  /** Whether there is no draft that a suggested message would replace. */
  bare: boolean;
  onDone: () => void;
}

function Details({ list, model, figures, price, bare, onPick, onSummarize, onDone }: DetailsProps): ReactElement {
  const { parts, used, budget, state } = figures;
  const smallest = list.models
    .filter(({ id }) => model.models?.includes(id))
    .toSorted((one, other) => one.contextWindow - other.contextWindow)[0];
  const [roomier] = state === 'fine' ? [] : roomierModels(list.models, model);
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {strings.used(tokensOf(used), tokensOf(budget))}
      </Text>
      <dl className="context-parts">
        {Object.entries(parts)
          .filter(([, bytes]) => bytes > 0)
          .map(([part, bytes]) => (
            <div key={part}>
              <dt>{strings.parts[part as keyof typeof parts]}</dt>
              <dd>{formatNumber(tokensOf(bytes))}</dd>
            </div>
          ))}
      </dl>
      <Text size="xs" c="dimmed">
        {strings.window(formatCompact(model.contextWindow))}
        {smallest !== undefined && ` ${strings.smallest(smallest.name)}`}
      </Text>
      <Price price={price} />
      {state === 'near' && <Text size="sm">{strings.near}</Text>}
      {roomier !== undefined && (
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            onPick(roomier.id);
            onDone();
          }}
        >
          {strings.changeTo(roomier.name, formatCompact(roomier.contextWindow))}
        </Button>
      )}
      {(state === 'near' || state === 'cuts') && bare && (
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            onSummarize();
            onDone();
          }}
        >
          {strings.summarize}
        </Button>
      )}
    </Stack>
  );
}

function Price({ price }: { price: PriceFigures }): ReactElement {
  if (!('cost' in price)) return <Text size="sm">{strings[price.kind]}</Text>;
  const { kind, cost, inputTokens, cachedTokens, outputTokens, at } = price;
  const notes = [
    strings.costText(inputTokens, outputTokens),
    cachedTokens > 0 ? strings.cached(cachedTokens) : [],
    at === undefined ? [] : strings.at((modelStrings.providers as Record<string, string>)[at] ?? at),
    kind === 'own-key' ? strings.ownKey : [],
  ].flat();
  return (
    <div>
      <Text size="sm" fw={600}>
        {strings.cost(formatCost(cost))}
      </Text>
      <Text size="xs" c="dimmed">
        {notes.join(' ')}
      </Text>
    </div>
  );
}
