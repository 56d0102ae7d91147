// Pinned and recent models first, then all others by provider; what cannot be used comes last, with the reason.
import { Combobox, type ComboboxStore, Text, UnstyledButton, useCombobox, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, type ReactElement, useEffect, useState } from 'react';
import type { ListedModel } from '../../../../src/contract/models.ts';
import { Icon } from '../../../kit/look/icons.tsx';
import {
  explainUnavailable,
  groupModels,
  type ModelList,
  type ModelMemory,
  offerModels,
  withPick,
  withPinToggled,
} from './choose-model.ts';
import { setModelMemory, useModelMemory } from './model-memory.ts';
import { chatStrings, modelStrings as strings } from '../strings.ts';
import { formatCompact, formatCost } from '../../../language/format.ts';

interface ModelPickerProps {
  organization: string;
  list: ModelList;
  chosen: ListedModel | undefined;
  onPick: (model: string) => void;
}

/** The search field controls the list; the library sets the list's id. */
const SEARCH = { role: 'combobox', 'aria-expanded': true } as const;

export function ModelPicker({ organization, list, chosen, onPick }: ModelPickerProps): ReactElement {
  const [search, setSearch] = useState('');
  const memory = useModelMemory(organization);
  const keep = (changed: ModelMemory): void => setModelMemory(organization, changed);
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setSearch('');
    },
  });
  const opened = combobox.dropdownOpened;
  useEffect(() => {
    if (!opened) return;
    // Once the list has its place: the selected option is scrolled into view, and must not take the page with it.
    const frame = requestAnimationFrame(() => selectSomething(combobox, search));
    return () => cancelAnimationFrame(frame);
    // Only the opening moves this selection.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [opened]);
  useEffect(() => {
    // At once: the key that follows a letter must meet the match, not what was selected before it.
    if (opened) selectSomething(combobox, search);
    // Only a search moves this selection.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [search]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.altKey || event.code !== 'KeyP') return;
    event.preventDefault();
    const id = selectedModel(combobox);
    if (id !== undefined) keep(withPinToggled(memory, id));
  };
  return (
    <Combobox
      store={combobox}
      position="top-start"
      width="min(30rem, calc(100vw - 2rem))"
      withinPortal={false}
      shadow="md"
      onOptionSubmit={(id) => {
        keep(withPick(memory, id));
        onPick(id);
        combobox.closeDropdown();
      }}
    >
      <Combobox.Target targetType="button">
        <UnstyledButton className="model-button" onClick={() => combobox.toggleDropdown()}>
          <VisuallyHidden>{strings.label}</VisuallyHidden>
          <span className="model-name">{chosen?.name ?? chatStrings.noModels}</span>
          <Icon name="chevrons" size={14} />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown onKeyDown={onKeyDown}>
        <Combobox.Search
          {...SEARCH}
          value={search}
          placeholder={strings.search}
          aria-label={strings.search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <ModelOptions
          list={list}
          search={search}
          memory={memory}
          chosen={chosen}
          onPin={(id) => keep(withPinToggled(memory, id))}
        />
        <Combobox.Footer>
          <Text size="xs" c="dimmed">
            {strings.prices}
          </Text>
          <Text size="xs" c="dimmed" visibleFrom="sm">
            {strings.keys}
          </Text>
        </Combobox.Footer>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** While searching, the first match; otherwise the model of the chat. Enter then always picks something. */
function selectSomething(combobox: ComboboxStore, search: string): void {
  if (search !== '' || combobox.selectActiveOption() === null) combobox.selectFirstOption();
}

function selectedModel({ listId }: ComboboxStore): string | undefined {
  const selected = document.querySelector<HTMLElement>(`#${CSS.escape(listId ?? '')} [data-combobox-selected]`);
  return selected?.getAttribute('value') ?? undefined;
}

interface ModelOptionsProps extends Pick<ModelPickerProps, 'list' | 'chosen'> {
  search: string;
  memory: ModelMemory;
  onPin: (model: string) => void;
}

function ModelOptions({ list, search, memory, chosen, onPin }: ModelOptionsProps): ReactElement {
  const { available, unavailable } = offerModels(list, search);
  const none = available.length + unavailable.length === 0;
  return (
    <>
      {list.requireProviderKey && (
        <Text size="xs" c="dimmed" p="xs">
          {!none || search !== '' ? strings.onlyWithKey : strings.noneWithKey}
        </Text>
      )}
      <Combobox.Options mah="min(32rem, 60dvh)" style={{ overflowY: 'auto' }} aria-label={strings.search}>
        {groupModels(available, memory, search !== '').map(({ label, models }) => (
          <Combobox.Group key={label} label={label}>
            {models.map((model) => (
              <Combobox.Option
                key={model.id}
                value={model.id}
                active={model.id === chosen?.id}
                className="model-option"
              >
                <ModelText model={model} text={describe(model)} price={model.price} picked={model.id === chosen?.id}>
                  <Pin pinned={memory.pinned.includes(model.id)} onToggle={() => onPin(model.id)} />
                </ModelText>
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
        {unavailable.length > 0 && (
          <Combobox.Group label={strings.unavailable}>
            {unavailable.map((model) => (
              <Combobox.Option key={model.id} value={model.id} disabled className="model-option">
                <ModelText model={model} text={explainUnavailable(model)} picked={model.id === chosen?.id} />
              </Combobox.Option>
            ))}
          </Combobox.Group>
        )}
        {none && <Combobox.Empty>{search === '' ? chatStrings.noModels : strings.noMatch}</Combobox.Empty>}
      </Combobox.Options>
    </>
  );
}

interface ModelTextProps {
  model: ListedModel;
  text: string;
  price?: ListedModel['price'];
  picked: boolean;
  children?: ReactElement;
}

function ModelText({ model, text, price, picked, children }: ModelTextProps): ReactElement {
  return (
    <span className="model-text">
      <span>
        <span className="model-title">{model.name}</span>
        <span className="model-note">{text}</span>
      </span>
      {price && <Price {...price} />}
      <span className="model-marks">
        {picked && <Icon name="check" size={16} />}
        {children}
      </span>
    </span>
  );
}

function Price({ input, output, longInput }: NonNullable<ListedModel['price']>): ReactElement {
  return (
    <span className="model-price">
      <span>{strings.price(formatCost(input), formatCost(output))}</span>
      {longInput && (
        <span>
          {strings.longPrice(
            formatCompact(longInput.aboveTokens),
            formatCost(longInput.input),
            formatCost(longInput.output),
          )}
        </span>
      )}
    </span>
  );
}

/** For pointers only: an option must not contain a control. The keyboard has Alt+P. */
function Pin({ pinned, onToggle }: { pinned: boolean; onToggle: () => void }): ReactElement {
  const toggle = (event: MouseEvent): void => {
    event.stopPropagation();
    onToggle();
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <span
        className="model-pin"
        data-pinned={pinned || undefined}
        title={pinned ? strings.unpin : strings.pin}
        onClick={toggle}
      >
        <Icon name="pin" size={14} />
      </span>
      {pinned && <VisuallyHidden>{strings.isPinned}</VisuallyHidden>}
    </>
  );
}

function describe({ contextWindow, capabilities }: ListedModel): string {
  return [
    capabilities.images ? strings.images : [],
    capabilities.efforts.length > 0 ? strings.reasons : [],
    strings.context(formatCompact(contextWindow)),
  ]
    .flat()
    .join(' · ');
}
