import { Tabs } from '@mantine/core';
import type { ReactElement } from 'react';

interface TabLineProps<T extends string> {
  /** By their values, in display order. */
  names: Readonly<Record<T, string>>;
  current: T;
  /** The space below it. */
  mb?: 'lg' | 0;
}

/** Tabs on one line, which scrolls where they do not fit; the current one is scrolled into view. */
export function TabLine<T extends string>({ names, current, mb = 'lg' }: TabLineProps<T>): ReactElement {
  return (
    <Tabs.List mb={mb} className="tab-line">
      {Object.entries<string>(names).map(([value, name]) => (
        <Tabs.Tab key={value} value={value} ref={value === current ? showWhole : undefined}>
          {name}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}

function showWhole(tab: HTMLButtonElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
