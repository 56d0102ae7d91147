// One text as plain text and as HTML. The HTML has no pictures and loads nothing, so opening a mail tells nobody. Values
// come from people: a name may hold anything, so it is escaped, and in the subject it is one short line.
import { hasControl } from '../base/mail-address.ts';
import type { MailKind, MailLanguage, MailValues } from './mail-kinds.ts';
import { MAIL_TEXTS, type MailText, SENT_BY } from './mail-texts.ts';

export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const SUBJECT_LENGTH = 150;

export function composeMail(
  { kind, language, values }: { kind: MailKind; language: MailLanguage; values: MailValues[MailKind] },
  publicUrl: string,
): ComposedMail {
  const write = MAIL_TEXTS[kind][language] as (values: MailValues[MailKind]) => MailText;
  const text = write(values);
  const sentBy = SENT_BY[language](publicUrl);
  return { subject: oneLine(text.subject), text: plain(text, sentBy), html: html(text, sentBy, language) };
}

function oneLine(text: string): string {
  const line = [...text].map((character) => (hasControl(character) ? ' ' : character)).join('');
  return line.length > SUBJECT_LENGTH ? `${line.slice(0, SUBJECT_LENGTH - 1)}…` : line;
}

function plain({ paragraphs, link, foot }: MailText, sentBy: string): string {
  return [...paragraphs, ...(link ? [link.url] : []), ...(foot === undefined ? [] : [foot]), `-- \n${sentBy}`]
    .join('\n\n')
    .concat('\n');
}

function html({ subject, paragraphs, link, foot }: MailText, sentBy: string, language: MailLanguage): string {
  const rows = [
    ...paragraphs.map((text) => `<p style="margin:0 0 16px">${escape(text).replaceAll('\n', '<br>')}</p>`),
    ...(link
      ? [
          `<p style="margin:24px 0"><a href="${escape(link.url)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#1f2937;color:#ffffff;text-decoration:none">${escape(link.label)}</a></p>`,
          `<p style="margin:0 0 16px;font-size:13px;color:#6b7280;word-break:break-all">${escape(link.url)}</p>`,
        ]
      : []),
    ...(foot === undefined ? [] : [`<p style="margin:0 0 16px;font-size:13px;color:#6b7280">${escape(foot)}</p>`]),
    `<p style="margin:24px 0 0;padding-top:12px;border-top:1px solid #e5e7eb;font-size:13px;color:#6b7280">${escape(sentBy)}</p>`,
  ];
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="color-scheme" content="light"><title>${escape(subject)}</title></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#111827;font:16px/1.5 system-ui,sans-serif"><div style="max-width:560px;margin:0 auto">
${rows.join('\n')}
</div></body></html>
`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
