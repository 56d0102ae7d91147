// Renders markdown to React elements, so that model output is never parsed as HTML. Unchanged blocks are neither parsed
// nor rendered again.
import './markdown.css';
import { memo, type ReactElement, useDeferredValue, useId, useMemo, useState } from 'react';
import { type Block, createReader, type Reading } from './create-reader.ts';
import type { Around } from './around.ts';
import { Footnotes } from './footnotes.tsx';
import { headingLevels } from './heading-levels.ts';
import { safeHref } from './safe-href.ts';
import { ShowNodes } from './show-nodes.tsx';

interface MarkdownProps {
  text: string;
  /** Headings in the text start below the heading above it. */
  below: number;
  /** Still being written: what its end leaves open is shown as it will look. */
  live?: boolean;
  hrefOf?: Around['hrefOf'];
}

export const Markdown = memo(function Markdown({
  text,
  below,
  live = false,
  hrefOf = safeHref,
}: MarkdownProps): ReactElement {
  const [reader] = useState(createReader);
  // Text may arrive faster than it can be drawn; then what is in between is skipped.
  const reading = reader.read(useDeferredValue(text), live);
  const levels = headingLevels(
    reading.blocks.flatMap(({ headings }) => headings),
    below,
  );
  return (
    <ShowReading reading={reading} levels={levels} order={reading.noteOrder.join(' ')} live={live} hrefOf={hrefOf} />
  );
});

interface ShowReadingProps extends Pick<Around, 'levels' | 'hrefOf'> {
  reading: Reading;
  /** The labels of the footnotes. */
  order: string;
  live: boolean;
}

function ShowReading({ reading: { blocks, notes }, levels, order, live, hrefOf }: ShowReadingProps): ReactElement {
  const id = useId();
  const around = useMemo<Around>(
    () => ({ id, levels, hrefOf, notes: order === '' ? [] : order.split(' ') }),
    [id, levels, hrefOf, order],
  );
  return (
    <div className="markdown">
      {blocks.map((block, position) => (
        // Blocks are only appended.
        // oxlint-disable-next-line react/no-array-index-key -- the position is what a block is known by
        <ShowBlock key={position} block={block} around={around} live={live && position === blocks.length - 1} />
      ))}
      <Footnotes notes={notes} around={around} />
    </div>
  );
}

interface ShowBlockProps {
  block: Block;
  around: Around;
  live: boolean;
}

const ShowBlock = memo(function ShowBlock({ block, around, live }: ShowBlockProps): ReactElement {
  return <ShowNodes nodes={block.nodes} around={around} live={live} />;
});
