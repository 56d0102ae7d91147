import './runs.css';
import type { LinkProps } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { TabLink } from '../../kit/links.tsx';
import { PageHeader } from '../../kit/page-header.tsx';
import { useManagesSomething } from '../../session/organization-context.ts';
import { runPageStrings as pages } from './page-strings.ts';
import { runStrings as strings } from './strings.ts';

interface RunsHeadProps {
  title: string;
  description: ReactNode;
  actions?: ReactNode;
}

/** Where the line is wider than the screen. */
function showCurrent(list: HTMLUListElement | null): void {
  list?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** The head of the runs and of what starts them, with the way from each of these pages to the others. */
export function RunsHead(props: RunsHeadProps): ReactElement {
  const manages = useManagesSomething() === true;
  const to = (path: Exclude<LinkProps['to'], undefined>, name: string): ReactElement => (
    <li>
      <TabLink to={path} activeOptions={{ exact: true, includeSearch: false }}>
        {name}
      </TabLink>
    </li>
  );
  return (
    <>
      <PageHeader {...props} />
      <nav aria-label={pages.pages}>
        <ul className="link-line" ref={showCurrent}>
          {to('/runs', strings.title)}
          {to('/recipes', pages.recipes)}
          {to('/runs/schedules', pages.schedules)}
          {to('/runs/triggers', pages.triggers)}
          {to('/runs/environments', pages.environments)}
          {manages && to('/subscriptions', pages.subscriptions)}
        </ul>
      </nav>
    </>
  );
}
