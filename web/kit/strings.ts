import type { Role } from '../../src/contract/common.ts';
import { inLanguage } from '../language/language.ts';

export const common = inLanguage('common', {
  product: 'Agent Platform',
  claim: 'Models, tools and background runs for your whole organization, on your own infrastructure.',
  points: [
    'Chat with models on your own provider keys or on platform credit.',
    'Let agents and MCP clients act on connected apps, with writes off until you allow them.',
    'Background runs and tool calls over REST leave receipts in a hash chain that anyone can verify.',
  ],
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  copySelected: 'Your browser blocked copying. The text is selected: copy it with your keyboard.',
  copyFailed: 'Your browser blocked copying. Select the text and copy it manually.',
  copyThis: (text: string): string => `Your browser blocked copying. Copy this manually: ${text}`,
  tryAgain: 'Try again',
  loadMore: 'Load more',
  loading: 'Loading…',
  showTyped: 'Show what you typed',
  code: 'Code',
  you: 'You',
  language: 'Language of the app',
  backToApp: 'Back to the app',
  nameRequired: 'Enter a name.',
  emailInvalid: 'Enter a valid email address, such as ada@example.org.',
  listFailed: 'This list could not be loaded.',
  pageTitle: (page: string): string => `${page} · Agent Platform`,
});

export const roleNames = inLanguage('roleNames', { owner: 'Owner', admin: 'Admin', member: 'Member' } satisfies Record<
  Role,
  string
>);
