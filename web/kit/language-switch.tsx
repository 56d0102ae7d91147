import { SegmentedControl } from '@mantine/core';
import type { ReactElement } from 'react';
import { LANGUAGE, type Language, LANGUAGES } from '../language/language.ts';
import { common } from './strings.ts';

const CHOICES = Object.entries(LANGUAGES).map(([value, name]) => ({
  value: value as Language,
  label: <span lang={value}>{name}</span>,
}));

/** Saves the choice where `public/before-paint.js` reads it. */
function changeLanguage(language: Language): void {
  try {
    localStorage.setItem('language', language);
  } catch {
    // Storage may be off; then the language of the browser is used.
  }
  window.location.reload();
}

/** Each language by its own name. Choosing one loads the page again. */
export function LanguageSwitch({ size = 'sm' }: { size?: 'xs' | 'sm' }): ReactElement {
  return (
    <SegmentedControl
      aria-label={common.language}
      data={CHOICES}
      value={LANGUAGE}
      onChange={changeLanguage}
      size={size}
    />
  );
}
