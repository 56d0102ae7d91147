import './projects.css';
import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type ReactElement, useId, useState } from 'react';
import { sourceStrings as strings } from './strings.ts';

export interface ShownSource {
  readonly number: number;
  readonly name: string;
  /** Absent in a shared chat, which has only the names. */
  readonly excerpt?: string;
}

/** The passages that an answer was given, by the numbers that it cites them with. Each opens its excerpt, if it has one. */
export function AnswerSources({ sources }: { sources: readonly ShownSource[] }): ReactElement {
  const [opened, setOpened] = useState<number>();
  const region = useId();
  const shown = sources.find(({ number }) => number === opened);
  return (
    <section aria-label={strings.title} className="sources">
      <span className="sources-title" aria-hidden="true">
        {strings.title}
      </span>
      <ul className="sources-list">
        {sources.map(({ number, name, excerpt }) => (
          <li key={number}>
            {excerpt === undefined ? (
              <span className="source-chip">
                <SourceName number={number} name={name} />
              </span>
            ) : (
              <UnstyledButton
                className="source-chip"
                aria-expanded={number === opened}
                aria-controls={region}
                onClick={() => setOpened(number === opened ? undefined : number)}
              >
                <SourceName number={number} name={name} />
              </UnstyledButton>
            )}
          </li>
        ))}
      </ul>
      <div id={region} aria-live="polite">
        {shown !== undefined && (
          <blockquote className="source-excerpt" aria-label={strings.excerpt(shown.number, shown.name)}>
            <cite dir="auto">{shown.name}</cite>
            <p dir="auto">{shown.excerpt}</p>
          </blockquote>
        )}
      </div>
    </section>
  );
}

function SourceName({ number, name }: Pick<ShownSource, 'number' | 'name'>): ReactElement {
  return (
    <>
      <VisuallyHidden>{strings.source}</VisuallyHidden>
      <span className="source-number">{number}</span>
      <span className="source-name" dir="auto" title={name}>
        {name}
      </span>
    </>
  );
}
