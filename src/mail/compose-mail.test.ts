import { expect, it } from 'vitest';
import { composeMail } from './compose-mail.ts';
import type { MailKind, MailLanguage, MailValues } from './mail-kinds.ts';
import { MAIL_TEXTS } from './mail-texts.ts';

const EVIL = 'Eve\r\nBcc: all@example.test\u2028<img src=x onerror=alert(1)>"\'&';
const link = 'https://service.example/x#secret';
const SAMPLES: MailValues = {
  'reset-password': { link },
  'prove-address': { link },
  'address-changed': { address: 'new@example.test' },
  'sign-in-changed': { what: 'password' },
  'new-device': { device: EVIL, place: '203.0.113.7', at: '2026-11-18T20:00:00.000Z' },
  invitation: { organization: EVIL, inviter: EVIL, link },
  'cap-warning': { organization: EVIL, whose: EVIL, percent: 80 },
  'runs-ended': { completed: 1, failed: 0, aborted: 0, link },
  'organization-deleted': { organization: EVIL, erasedOn: '2026-11-25T20:00:00.000Z' },
};
const ALL = Object.keys(MAIL_TEXTS).flatMap((kind) =>
  (['en', 'de'] as const).map((language): [MailKind, MailLanguage] => [kind as MailKind, language]),
);
const compose = (kind: MailKind, language: MailLanguage) =>
  composeMail({ kind, language, values: SAMPLES[kind] }, 'https://service.example');

it.each(ALL)('%s in %s is one line of subject, text and HTML that loads nothing', (kind, language) => {
  const { subject, text, html } = compose(kind, language);
  expect(subject).toMatch(/^[^\p{C}\u2028\u2029]{5,150}$/u);
  expect(text).toContain('https://service.example');
  expect(html).toContain(`lang="${language}"`);
  expect(html).not.toMatch(/<(?:img|script|link|iframe|style|form)\b/i);
  expect(html).not.toMatch(/<[^>]*\b(?:src|background|on\w+)=/i);
  if ('link' in SAMPLES[kind]) for (const part of [text, html]) expect(part).toContain(link);
});

it.each(ALL)('%s in %s differs from the other language', (kind, language) => {
  expect(compose(kind, language).text).not.toBe(compose(kind, language === 'en' ? 'de' : 'en').text);
});
