import type { ConfigField } from '../../kit/config-draft.ts';
import { moduleFieldTexts } from './strings.ts';

const { rateLimiting, budgetLimiting, loggingConfig, toolApproval } = moduleFieldTexts;
const onOff = { name: 'enabled', control: 'switch', initial: false } as const;
const dollars = { control: 'number', min: 0, max: 10_000_000 } as const;

export const MODULE_FIELDS = {
  rateLimiting: [
    { ...onOff, ...rateLimiting.enabled },
    { name: 'requestsPerMinute', ...rateLimiting.requestsPerMinute, control: 'number', min: 1, max: 100_000 },
  ],
  budgetLimiting: [
    { ...onOff, ...budgetLimiting.enabled },
    { name: 'monthlyUsd', ...budgetLimiting.monthlyUsd, ...dollars },
    { name: 'memberMonthlyUsd', ...budgetLimiting.memberMonthlyUsd, ...dollars },
  ],
  loggingConfig: [
    { ...onOff, ...loggingConfig.enabled },
    { name: 'level', ...loggingConfig.level, control: 'choice' },
    { name: 'retentionDays', ...loggingConfig.retentionDays, control: 'number', min: 1, max: 3_650 },
  ],
  toolApproval: [
    { ...onOff, ...toolApproval.enabled },
    { name: 'mode', ...toolApproval.mode, control: 'choice' },
    { name: 'exempt', ...toolApproval.exempt, control: 'lines' },
  ],
} as const satisfies Record<keyof typeof moduleFieldTexts, readonly ConfigField[]>;
