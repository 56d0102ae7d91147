import './projects.css';
import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { type ReactElement, useId, useState } from 'react';
import type { MessageSource } from '../../../src/contract/threads.ts';
import { sourceStrings as strings } from './strings.ts';

/** The passages that an answer was given, by the numbers that it cites them with. Each opens its excerpt. */
export function AnswerSources({ sources }: { sources: readonly MessageSource[] }): ReactElement {
  const [opened, setOpened] = useState<number>();
  const region = useId();
  const shown = sources.find(({ number }) => number === opened);
  return (
    <section aria-label={strings.title} className="sources">
      <span className="sources-title" aria-hidden="true">
        {strings.title}
      </span>
      <ul className="sources-list">
        {sources.map(({ number, name }) => (
          <li key={number}>
            <UnstyledButton
              className="source-chip"
              aria-expanded={number === opened}
              aria-controls={region}
              onClick={() => setOpened(number === opened ? undefined : number)}
            >
              <VisuallyHidden>{strings.source}</VisuallyHidden>
              <span className="source-number">{number}</span>
              <span className="source-name">{name}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      <div id={region} aria-live="polite">
        {shown !== undefined && (
          <blockquote className="source-excerpt" aria-label={strings.excerpt(shown.number, shown.name)}>
            <cite>{shown.name}</cite>
            <p>{shown.excerpt}</p>
          </blockquote>
        )}
      </div>
    </section>
  );
}
