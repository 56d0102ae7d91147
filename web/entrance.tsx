// The sign-in page by itself, for visits that begin there. It is left with a page load, so it needs neither the router
// nor the pages behind it. The app has the same page for those who are sent to it.
import { mount } from './mount.tsx';
import { SignInPage } from './features/access/sign-in-page.tsx';
import { createQueryClient } from './session/query-client.ts';
import { Notices } from './shell/notices.tsx';

mount(
  createQueryClient(),
  <>
    <Notices toasts />
    <SignInPage />
  </>,
);
