import { Group, Kbd, Stack, Text, Title } from '@mantine/core';
import { Fragment, type ReactElement } from 'react';
import { Dialog } from '../kit/dialog.tsx';
import { KEYS, type KeyGroup, type KeyName } from '../kit/keys/key-table.ts';
import { capsOf } from './key-caps.ts';
import { shell } from './strings.ts';

export function KeysDialog({ onClose }: { onClose: () => void }): ReactElement {
  return (
    <Dialog onClose={onClose} title={shell.shortcuts} size="lg">
      <Stack gap="lg">
        {GROUPS.map((group) => (
          <section key={group} aria-label={shell.keyGroups[group]}>
            <Title order={3} size="sm" mb="xs">
              {shell.keyGroups[group]}
            </Title>
            <Stack gap={6} component="dl" m={0}>
              {NAMES.filter((name) => KEYS[name].group === group).map((name) => (
                <Group key={name} justify="space-between" wrap="nowrap">
                  <Text component="dt" size="sm">
                    {shell.help[name]}
                  </Text>
                  <ShowKeys name={name} />
                </Group>
              ))}
            </Stack>
          </section>
        ))}
      </Stack>
    </Dialog>
  );
}

const NAMES = Object.keys(KEYS) as KeyName[];
const GROUPS = Object.keys(shell.keyGroups) as KeyGroup[];

function ShowKeys({ name }: { name: KeyName }): ReactElement {
  return (
    <Group component="dd" gap={6} m={0} justify="flex-end">
      {capsOf(name).map((steps, way) =>
        steps.map((step, position) => (
          <Fragment key={step.join()}>
            {(way > 0 || position > 0) && (
              <Text size="xs" c="dimmed">
                {position > 0 ? shell.keysThen : shell.keysOr}
              </Text>
            )}
            <Group gap={3} wrap="nowrap">
              {step.map((cap) => (
                <Kbd key={cap}>{cap}</Kbd>
              ))}
            </Group>
          </Fragment>
        )),
      )}
    </Group>
  );
}
