import type { Role } from '../../src/contract/common.ts';

export const common = {
  product: 'Agent Platform',
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copySelected: 'This browser does not let the page copy. The text is selected: copy it with your keyboard.',
  copyFailed: 'This browser does not let the page copy. Select the text and copy it by hand.',
  copyThis: (text: string): string => `This browser does not let the page copy. Copy this by hand: ${text}`,
  tryAgain: 'Try again',
  loadMore: 'Load more',
  loading: 'Loading…',
  you: 'You',
  backToApp: 'Back to the app',
  nameRequired: 'Give it a name.',
  emailInvalid: 'Enter an email address, such as ada@example.org.',
  listFailed: 'This list could not be loaded.',
  pageTitle: (page: string): string => `${page} · Agent Platform`,
} as const;

export const roleNames = { owner: 'Owner', admin: 'Admin', member: 'Member' } as const satisfies Record<Role, string>;
