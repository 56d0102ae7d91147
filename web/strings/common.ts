import type { Role } from '../../src/contract/common.ts';

export const common = {
  product: 'Agent Platform',
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
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
