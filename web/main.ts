// The entry. Tables of strings pick their language when they are loaded, so nothing that has texts is imported before
// the translation is there.
import '@mantine/core/styles.css';
import './kit/look/base.css';
import { loadTranslation } from './translation.ts';

// Without its translation the app speaks English.
void loadTranslation()
  .catch(() => undefined)
  .then(() => import('./app.tsx'));
