import type { SettingsPage } from '../../../src/contract/enforcement.ts';
import type { IconName } from '../../kit/look/icons.tsx';

/** The organization settings in the navigation, in order. */
export const SETTINGS_PAGES = [
  { page: 'general', to: '/organization/settings/general', icon: 'settings' },
  { page: 'members', to: '/organization/settings/members', icon: 'people' },
  { page: 'byok', to: '/organization/settings/byok', icon: 'key' },
  { page: 'models', to: '/organization/settings/models', icon: 'models' },
  { page: 'plan', to: '/organization/settings/plan', icon: 'chart' },
  { page: 'spending', to: '/organization/settings/spending', icon: 'spending' },
  { page: 'feedback', to: '/organization/settings/feedback', icon: 'thumbUp' },
  { page: 'guardrails', to: '/organization/settings/guardrails', icon: 'shield' },
  { page: 'policies', to: '/organization/settings/policies', icon: 'policies' },
  { page: 'tools', to: '/organization/settings/tools', icon: 'tools' },
  { page: 'domains', to: '/organization/settings/domains', icon: 'globe' },
  { page: 'sso', to: '/organization/settings/sso', icon: 'signIn' },
  { page: 'directory', to: '/organization/settings/directory', icon: 'directory' },
] as const satisfies readonly { page: SettingsPage; to: string; icon: IconName }[];
