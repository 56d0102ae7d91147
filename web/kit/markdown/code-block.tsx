import { type ReactElement, useRef } from 'react';
import { CopyAction } from '../copy-field.tsx';
import { common } from '../strings.ts';

export function CodeBlock({ language, text }: { language: string; text: string }): ReactElement {
  const shown = useRef<HTMLPreElement>(null);
  return (
    <div className="code-block">
      <div className="code-head">
        <span>{language === '' ? common.code : language}</span>
        <CopyAction value={text} size="compact-xs" source={shown} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines are scrolled with the keyboard too */}
      <pre ref={shown} tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
