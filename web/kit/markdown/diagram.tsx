// A Mermaid diagram as an image of its own: an SVG inside `<img>` runs no scripts and loads nothing.
import { Button, useComputedColorScheme } from '@mantine/core';
import { type ReactElement, useEffect, useState } from 'react';
import { CopyAction } from '../copy-field.tsx';
import { CodeBlock } from './code-block.tsx';
import { markdownStrings as strings } from './strings.ts';
import { createLoader } from '../use-loaded.ts';

const useRenderer = createLoader(() => import('./render-diagram.ts'));

/** Drawn before, by scheme and source; a message that is stored after it was streamed is drawn at once. */
const drawn = new Map<string, string>();
const MOST_DRAWN = 50;

export function Diagram({ source }: { source: string }): ReactElement {
  const scheme = useComputedColorScheme('light');
  const renderer = useRenderer();
  const key = `${scheme}\n${source}`;
  const [shown, setShown] = useState<{ key: string; url: string | undefined }>();
  const [asSource, setAsSource] = useState(false);
  useEffect(() => {
    if (typeof renderer !== 'object' || drawn.has(key)) return undefined;
    let isGone = false;
    const draw = async (): Promise<void> => {
      const url = await renderer.renderDiagram(source, scheme);
      if (url !== undefined) keep(key, url);
      if (!isGone) setShown({ key, url });
    };
    void draw();
    return () => {
      isGone = true;
    };
  }, [renderer, source, scheme, key]);
  const url = drawn.get(key) ?? (shown?.key === key ? shown.url : undefined);
  if (url === undefined) return <CodeBlock language="mermaid" text={source} open={false} />;
  const toggle = (
    <Button size="compact-xs" variant="default" onClick={() => setAsSource(!asSource)}>
      {asSource ? strings.showDiagram : strings.showSource}
    </Button>
  );
  if (asSource) return <CodeBlock language="mermaid" text={source} open={false} action={toggle} />;
  const kind = /^\s*(?:%%.*\n\s*)*([\w-]+)/.exec(source)?.[1] ?? '';
  return (
    <figure className="code-block" dir="ltr">
      <div className="code-head">
        <span>{strings.diagram}</span>
        <div className="code-actions">
          {toggle}
          <CopyAction value={source} size="compact-xs" />
        </div>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide diagram is scrolled with the keyboard too */}
      <div className="diagram" tabIndex={0}>
        <img src={url} alt={strings.diagramOf(kind)} />
      </div>
    </figure>
  );
}

function keep(key: string, url: string): void {
  const [oldest] = drawn.keys();
  if (drawn.size >= MOST_DRAWN && oldest !== undefined) drawn.delete(oldest);
  drawn.set(key, url);
}
