// The entry. Tables of strings pick their language when they are loaded, so nothing that has texts is imported before
// the translation is there.
import '@mantine/core/styles.layer.css';
import './kit/look/base.css';
import { loadTranslation } from './translation.ts';

// Without its translation the app speaks English.
void loadTranslation()
  .catch(() => undefined)
  .then(() => {
    if (location.pathname === '/sign-in') return import('./entrance.tsx');
    // Most visits go to a chat: its page is fetched together with the app, not once the app knows who is there.
    if (/^\/(?:chat(?:\/|$)|$)/.test(location.pathname)) {
      void import('./shell/app-layout.tsx').catch(() => undefined);
      void import('./features/chat/chat-page.tsx').catch(() => undefined);
    }
    return import('./app.tsx');
  });
