import { Badge, Combobox, Text, UnstyledButton, useCombobox, VisuallyHidden } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import type { ListedModel } from '../../../src/contract/models.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { chatStrings, modelStrings as strings } from './strings.ts';
import { explainDenials, type ModelList, offerModels } from './choose-model.ts';

interface ModelPickerProps {
  list: ModelList & { demo: boolean };
  chosen: ListedModel | undefined;
  onPick: (model: string) => void;
}

/** The search field controls the list; the library sets the list's id. */
const SEARCH = { role: 'combobox', 'aria-expanded': true } as const;

/** Allowed models first, then the others with the reason. */
export function ModelPicker({ list, chosen, onPick }: ModelPickerProps): ReactElement {
  const [search, setSearch] = useState('');
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setSearch('');
    },
  });
  const { allowed, denied } = offerModels(list, search);
  return (
    <Combobox
      store={combobox}
      position="top-start"
      width={340}
      withinPortal={false}
      shadow="md"
      onOptionSubmit={(id) => {
        onPick(id);
        combobox.closeDropdown();
      }}
    >
      <Combobox.Target targetType="button">
        <UnstyledButton className="model-button" onClick={() => combobox.toggleDropdown()}>
          <VisuallyHidden>{strings.label}</VisuallyHidden>
          <span className="model-name">{chosen?.name ?? chatStrings.noModels}</span>
          {list.demo && <Badge color="yellow">{chatStrings.demo}</Badge>}
          <Icon name="chevrons" size={14} />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          {...SEARCH}
          value={search}
          placeholder={strings.search}
          aria-label={strings.search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {list.requireProviderKey && (
          <Text size="xs" c="dimmed" p="xs">
            {allowed.length + denied.length > 0 || search !== '' ? strings.onlyWithKey : strings.noneWithKey}
          </Text>
        )}
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }} aria-label={strings.search}>
          {allowed.map((model) => (
            <Combobox.Option key={model.id} value={model.id} active={model.id === chosen?.id} className="model-option">
              <ModelText model={model} text={describe(model)} picked={model.id === chosen?.id} />
            </Combobox.Option>
          ))}
          {denied.length > 0 && (
            <Combobox.Group label={strings.notAllowed}>
              {denied.map((model) => (
                <Combobox.Option key={model.id} value={model.id} disabled className="model-option">
                  <ModelText model={model} text={explainDenials(model.denials)} picked={model.id === chosen?.id} />
                </Combobox.Option>
              ))}
            </Combobox.Group>
          )}
          {allowed.length + denied.length === 0 && (
            <Combobox.Empty>{search === '' ? chatStrings.noModels : strings.noMatch}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function ModelText({ model, text, picked }: { model: ListedModel; text: string; picked: boolean }): ReactElement {
  return (
    <span className="model-text">
      <span>
        <span className="model-title">{model.name}</span>
        <span className="model-note">{text}</span>
      </span>
      {picked && <Icon name="check" size={16} />}
    </span>
  );
}

const dollars = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumFractionDigits: 2 });
const tokens = new Intl.NumberFormat(undefined, { notation: 'compact' });

function describe({ price, contextWindow }: ListedModel): string {
  const context = strings.context(tokens.format(contextWindow));
  return price === null
    ? context
    : `${context} · ${strings.price(dollars.format(price.input), dollars.format(price.output))}`;
}
