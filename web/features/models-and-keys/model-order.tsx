// The models of a route in their order, which is changed by dragging or with buttons.
import { ActionIcon, Group, Text, VisuallyHidden } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import { Icon } from '../../kit/look/icons.tsx';
import { routeStrings as strings } from './strings.ts';

interface ModelOrderProps {
  models: readonly string[];
  nameOf: (model: string) => string;
  onChange: (models: string[]) => void;
}

export function ModelOrder({ models, nameOf, onChange }: ModelOrderProps): ReactElement {
  const [dragged, setDragged] = useState<string>();
  const [said, setSaid] = useState('');
  const move = (model: string, to: number): void => {
    const rest = models.filter((one) => one !== model);
    onChange([...rest.slice(0, to), model, ...rest.slice(to)]);
    setSaid(strings.moved(nameOf(model), to + 1));
  };
  return (
    <>
      <ol aria-label={strings.order} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {models.map((model, at) => (
          <Group
            component="li"
            key={model}
            gap="xs"
            wrap="nowrap"
            draggable
            style={{ cursor: 'grab' }}
            onDragStart={() => setDragged(model)}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== undefined && dragged !== model) move(dragged, at);
            }}
          >
            <Text size="sm" flex={1} style={{ overflowWrap: 'anywhere' }}>
              {at + 1}. {nameOf(model)}
            </Text>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={strings.up(nameOf(model))}
              disabled={at === 0}
              onClick={() => move(model, at - 1)}
            >
              <Icon name="send" size={14} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={strings.down(nameOf(model))}
              disabled={at === models.length - 1}
              onClick={() => move(model, at + 1)}
            >
              <Icon name="down" size={14} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={strings.leaveOut(nameOf(model))}
              onClick={() => onChange(models.filter((one) => one !== model))}
            >
              <Icon name="trash" size={14} />
            </ActionIcon>
          </Group>
        ))}
      </ol>
      <VisuallyHidden component="output">{said}</VisuallyHidden>
    </>
  );
}
