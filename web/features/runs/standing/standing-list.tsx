// The page of the person's schedules or triggers; those who manage a workspace or the organization see those of others, too.
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, type ReactNode } from 'react';
import { Icon } from '../../../kit/look/icons.tsx';
import { type ListQuery, ListState } from '../../../kit/list-state.tsx';
import { MoreRows, Row, Rows } from '../../../kit/rows.tsx';
import { usePeople, useSignedIn } from '../../../session/organization-context.ts';
import { RunsHead } from '../runs-head.tsx';
import type { StandingPath, StandingView } from './standing-view.ts';
import { standingStrings } from './strings.ts';

interface StandingListProps {
  path: StandingPath;
  texts: Readonly<Record<'title' | 'description' | 'list' | 'failed' | 'create' | 'empty' | 'emptyText', string>>;
  query: ListQuery & Parameters<typeof MoreRows>[0]['query'];
  /** A row each. */
  children: readonly ReactElement[];
  /** The form of a new one, while the address asks for it. */
  dialog: ReactNode;
}

export function StandingList({ path, texts, query, children, dialog }: StandingListProps): ReactElement {
  const openDialog = useStandingDialog(path);
  const createButton = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => openDialog(true)}>
      {texts.create}
    </Button>
  );
  const isEmpty = children.length === 0;
  return (
    <>
      <RunsHead title={texts.title} description={texts.description} actions={isEmpty ? undefined : createButton} />
      <ListState
        query={query}
        isEmpty={isEmpty}
        failed={texts.failed}
        empty={{ icon: 'run', title: texts.empty, text: texts.emptyText, action: createButton }}
      >
        <Rows label={texts.list}>{children}</Rows>
        <MoreRows query={query} />
      </ListState>
      {dialog}
    </>
  );
}

/** Opens and closes the form of a new one, which is in the address. */
export function useStandingDialog(path: StandingPath): (isOpen: boolean) => void {
  const navigate = useNavigate();
  return (isOpen) =>
    void navigate({
      to: path,
      search: (before) => ({ ...before, create: isOpen ? '1' : undefined }),
      replace: true,
      resetScroll: false,
      state: { keepFocus: true },
    });
}

interface StandingRowProps {
  standing: StandingView;
  /** Its name, as a link. */
  title: ReactNode;
  text: ReactNode;
  badge: ReactNode;
}

export function StandingRow({ standing: { createdBy }, title, text, badge }: StandingRowProps): ReactElement {
  const { user } = useSignedIn();
  const people = usePeople();
  return (
    <Row
      className="row-link"
      lead={<Icon name="run" size={22} />}
      title={title}
      text={
        <>
          {text}
          {createdBy !== user.id && ` · ${people.get(createdBy) ?? standingStrings.colleague}`}
        </>
      }
      aside={badge}
    />
  );
}
