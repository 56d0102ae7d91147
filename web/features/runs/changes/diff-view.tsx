// One file of a diff. Long ones are drawn in pieces, each when it comes near the screen. A line's number is a button: one
// of them is in the order of the Tab key, the arrow keys reach the others.
import { Button, Group, Textarea, VisuallyHidden } from '@mantine/core';
import {
  type KeyboardEvent,
  memo,
  type ReactElement,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { FilePatch, PatchLine } from '../../../../src/contract/patches/read-patch.ts';
import { toastDone } from '../../../kit/toasts.tsx';
import { addToFollowUp } from '../follow-up/drafts.ts';
import { changesStrings as strings } from './strings.ts';
import { type Layout, type Row, toRows } from './to-rows.ts';
import { type Place, writeComment } from './write-comment.ts';

const PIECE = 150;
const LINE_PX = 20;
/** How far from the screen a piece is drawn. */
const NEAR = '800px 0px';

interface DiffViewProps {
  run: string;
  /** Whether the person may write to the run. */
  canComment: boolean;
  file: FilePatch;
  layout: Layout;
}

export function DiffView({ run, canComment, file, layout }: DiffViewProps): ReactElement {
  const [place, setPlace] = useState<Place>();
  const rows = useMemo(() => toRows(file, layout), [file, layout]);
  const pieces = useMemo(
    () => Array.from({ length: Math.ceil(rows.length / PIECE) }, (_, at) => rows.slice(at * PIECE, (at + 1) * PIECE)),
    [rows],
  );
  return (
    <section className="diff" data-layout={layout} aria-label={strings.diff(file.path)} dir="ltr">
      {pieces.map((piece, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a piece is known by its position
        <Piece
          key={at}
          rows={piece}
          first={at === 0}
          path={file.path}
          onPlace={canComment ? setPlace : undefined}
          place={place}
        >
          {(line) =>
            place !== undefined && isAt(place, line) ? (
              <CommentForm run={run} place={place} onDone={() => setPlace(undefined)} />
            ) : undefined
          }
        </Piece>
      ))}
    </section>
  );
}

interface PieceProps {
  rows: readonly Row[];
  first: boolean;
  path: string;
  place: Place | undefined;
  onPlace: ((place: Place) => void) | undefined;
  children: (line: PatchLine) => ReactNode;
}

function Piece({ rows, first, path, place, onPlace, children }: PieceProps): ReactElement {
  const [isNear, setNear] = useState(first);
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const shown = holder.current;
    if (isNear || shown === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: NEAR },
    );
    observer.observe(shown);
    return () => observer.disconnect();
  }, [isNear]);
  if (!isNear) return <div ref={holder} style={{ height: rows.length * LINE_PX }} />;
  return (
    <>
      {rows.map((row, at) => {
        const lines = row.kind === 'pair' ? [row.before, row.after] : row.kind === 'line' ? [row.line] : [];
        const form =
          place === undefined
            ? undefined
            : lines.map((line) => line && children(line)).find((each) => each !== undefined);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a row is known by its position
          <div key={at} className="diff-part">
            <ShowRow row={row} path={path} inOrder={first && at <= 1} onPlace={onPlace} />
            {form}
          </div>
        );
      })}
    </>
  );
}

interface ShowRowProps {
  row: Row;
  path: string;
  inOrder: boolean;
  onPlace: ((place: Place) => void) | undefined;
}

const ShowRow = memo(function ShowRow({ row, path, inOrder, onPlace }: ShowRowProps): ReactElement {
  if (row.kind === 'hunk') return <div className="diff-hunk">{row.text}</div>;
  if (row.kind === 'line') {
    const { line } = row;
    if (line.kind === 'note') return <div className="diff-hunk">{line.text}</div>;
    return (
      <div className="diff-row" data-kind={line.kind}>
        <LineNumber line={line} path={path} inOrder={inOrder} onPlace={onPlace} />
        <Code line={line} />
      </div>
    );
  }
  const { before, after } = row;
  return (
    <div className="diff-row">
      {(['before', 'after'] as const).map((side) => {
        const line = side === 'before' ? before : after;
        const same = line?.kind === 'same';
        return (
          <div key={side} className="diff-side" data-kind={line === undefined ? 'none' : line.kind}>
            {line !== undefined && same && side === 'before' ? (
              <span className="diff-number">{line.before}</span>
            ) : line === undefined ? undefined : (
              <LineNumber line={line} path={path} inOrder={inOrder} onPlace={onPlace} />
            )}
            {line !== undefined && <Code line={line} hidden={same && side === 'before'} />}
          </div>
        );
      })}
    </div>
  );
});

const SIGNS = { added: '+', removed: '−', same: ' ', note: '' } as const;

/** The sign is read aloud as a word. What is the same on both sides is read once. */
function Code({ line, hidden = false }: { line: PatchLine; hidden?: boolean }): ReactElement {
  const word = line.kind === 'added' ? strings.addedLine : line.kind === 'removed' ? strings.removedLine : undefined;
  return (
    <code className="diff-code" aria-hidden={hidden || undefined}>
      <span aria-label={word} role={word === undefined ? undefined : 'img'} className="diff-sign">
        {SIGNS[line.kind]}
      </span>
      <span>{line.text}</span>
    </code>
  );
}

function LineNumber({
  line,
  path,
  inOrder,
  onPlace,
}: {
  line: PatchLine;
  path: string;
  inOrder: boolean;
  onPlace: ((place: Place) => void) | undefined;
}): ReactElement {
  const old = line.after === undefined;
  const number = line.after ?? line.before ?? 0;
  if (onPlace === undefined) return <span className="diff-number">{number}</span>;
  return (
    <button
      type="button"
      className="diff-number"
      tabIndex={inOrder ? 0 : -1}
      onClick={() => onPlace({ path, line: number, old, code: line.text })}
      onKeyDown={moveFocus}
    >
      {number}
      <VisuallyHidden>{old ? strings.commentOld : strings.commentHere}</VisuallyHidden>
    </button>
  );
}

function isAt(place: Place, line: PatchLine): boolean {
  return place.old ? line.kind === 'removed' && line.before === place.line : line.after === place.line;
}

function CommentForm({ run, place, onDone }: { run: string; place: Place; onDone: () => void }): ReactElement {
  const [text, setText] = useState('');
  const keep = (): void => {
    if (text.trim() === '') return;
    addToFollowUp(run, writeComment(place, text));
    toastDone(strings.kept);
    onDone();
  };
  return (
    <form
      className="diff-comment"
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <Textarea
        label={strings.comment}
        placeholder={strings.commentPlaceholder}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={5_000}
        // The person has just asked for it.
        data-autofocus
        ref={(area) => {
          if (area !== null && text === '') area.focus();
        }}
      />
      <Group gap="xs" mt="xs">
        <Button type="submit" size="compact-sm" disabled={text.trim() === ''}>
          {strings.keep}
        </Button>
        <Button variant="default" size="compact-sm" onClick={onDone}>
          {strings.cancel}
        </Button>
      </Group>
    </form>
  );
}

/** From a line's number to the next or the previous one. */
function moveFocus(event: KeyboardEvent<HTMLButtonElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const all = [...(event.currentTarget.closest('.diff')?.querySelectorAll<HTMLElement>('button.diff-number') ?? [])];
  const next = all[all.indexOf(event.currentTarget) + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
