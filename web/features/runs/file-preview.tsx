// A preview of a file that a run left. Nothing of it runs in our origin: text is text, markdown becomes elements, a picture
// is only ever an <img>, and HTML is shown in a frame without scripts, origin or network.
import { Alert, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useCallback, useState } from 'react';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { imageTypeOf, type PreviewKind, separatorOf, TEXT_MAX_BYTES } from './preview-kind.ts';
import { artifactQuery } from './queries.ts';
import { readTable, ROWS_MAX } from './read-table.ts';
import { sandboxedPage } from './sandboxed-page.ts';
import { runFileStrings as strings } from './strings.ts';
import { formatSize } from '../../language/format.ts';

interface FilePreviewProps {
  organization: string;
  run: string;
  name: string;
  size: number;
  kind: PreviewKind;
}

export function FilePreview({ organization, run, name, size, kind }: FilePreviewProps): ReactElement {
  const { data, error } = useQuery(artifactQuery(organization, { run, name, isImage: kind === 'image' }));
  if (error !== null) return <Alert color="red">{strings.failed}</Alert>;
  if (data === undefined)
    return (
      <Text size="sm" c="dimmed">
        {strings.loading}
      </Text>
    );
  if (size === 0) return <Note text={strings.empty} />;
  if (kind === 'image') return <Picture bytes={data.bytes} name={name} />;
  const text = new TextDecoder().decode(data.bytes);
  if (text.includes('\0')) return <Note text={strings.notText} />;
  return (
    <div className="file-preview">
      <ShowText kind={kind} name={name} text={text} />
      {data.isCut && <Note text={strings.cut(formatSize(TEXT_MAX_BYTES), formatSize(size))} />}
    </div>
  );
}

function Note({ text }: { text: string }): ReactElement {
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}

function ShowText({ kind, name, text }: { kind: PreviewKind; name: string; text: string }): ReactElement {
  const [asSource, setAsSource] = useState(false);
  if (kind === 'text') return <Plain text={text} />;
  return (
    <>
      {asSource ? <Plain text={text} /> : <Rendered kind={kind} name={name} text={text} />}
      <Button variant="subtle" size="compact-xs" onClick={() => setAsSource(!asSource)}>
        {asSource ? strings.page : strings.source}
      </Button>
    </>
  );
}

function Rendered({ kind, name, text }: { kind: PreviewKind; name: string; text: string }): ReactElement {
  if (kind === 'markdown') return <Markdown text={text} below={3} />;
  if (kind === 'table') return <Table name={name} text={text} />;
  return (
    <>
      <Note text={strings.html} />
      <iframe className="file-frame" title={strings.frame(name)} sandbox="" srcDoc={sandboxedPage(text)} />
    </>
  );
}

function Plain({ text }: { text: string }): ReactElement {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long texts are scrolled with the keyboard too
    <pre className="file-text" tabIndex={0}>
      {text}
    </pre>
  );
}

function Table({ name, text }: { name: string; text: string }): ReactElement {
  const { head, rows, isCut } = readTable(text, separatorOf(name));
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled with the keyboard too */}
      <section className="file-table" tabIndex={0} aria-label={strings.table(name)}>
        <table>
          <thead>
            <tr>
              {head.map((cell, column) => (
                // oxlint-disable-next-line react/no-array-index-key -- a column is known by its position
                <th key={column} scope="col">
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, line) => (
              // oxlint-disable-next-line react/no-array-index-key -- a row is known by its position
              <tr key={line}>
                {row.map((cell, column) => (
                  // oxlint-disable-next-line react/no-array-index-key -- a column is known by its position
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {isCut && <Note text={strings.tableCut(ROWS_MAX)} />}
    </>
  );
}

function Picture({ bytes, name }: { bytes: Uint8Array<ArrayBuffer>; name: string }): ReactElement {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(new Blob([bytes], { type: imageTypeOf(name) }));
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [bytes, name],
  );
  return <img className="file-picture" ref={show} alt={strings.frame(name)} />;
}
