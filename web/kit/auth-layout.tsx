import { Group, List, Stack, Text } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { LanguageSwitch } from './language-switch.tsx';
import { ChainArt, Mark } from './look/mark.tsx';
import { common } from './strings.ts';

/** Pages before signing in: the product on one side, a form on the other. */
export function AuthLayout({ children }: { children: ReactNode }): ReactElement {
  return (
    <div className="front">
      <aside className="front-side">
        <ChainArt />
        <Brand />
        <Stack gap="xl" maw="27rem" style={{ position: 'relative' }}>
          <Text fz={30} lh={1.2} fw={650} style={{ letterSpacing: '-0.02em', textWrap: 'balance' }}>
            {common.claim}
          </Text>
          <List spacing="sm" size="sm" styles={{ item: { color: '#cfe6dd' } }}>
            {common.points.map((point) => (
              <List.Item key={point}>{point}</List.Item>
            ))}
          </List>
        </Stack>
        <span />
      </aside>
      <main className="front-main" id="content">
        <Stack w="100%" maw="24rem" gap="lg">
          <div className="front-brand">
            <Brand />
          </div>
          {children}
          <Group justify="center">
            <LanguageSwitch size="xs" />
          </Group>
        </Stack>
      </main>
    </div>
  );
}

export function Brand(): ReactElement {
  return (
    <Group gap="sm" style={{ position: 'relative' }}>
      <Mark />
      <Text component="span" fw={650} style={{ letterSpacing: '-0.01em' }}>
        {common.product}
      </Text>
    </Group>
  );
}
