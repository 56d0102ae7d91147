import type { Config } from './config.ts';
import { ENVIRONMENT, type Variable } from './environment.ts';

/**
 * Every secret in the configuration, in the encodings in which it could leak. Short ones are skipped: they would match
 * ordinary text.
 */
export function secretValues(config: Config): string[] {
  const found: string[] = [];
  for (const [name, variable] of Object.entries<Variable>(ENVIRONMENT)) {
    if (!variable.secret) continue;
    const value = config[name as keyof Config];
    if (typeof value === 'string' && value.length >= 8) found.push(value);
    if (Buffer.isBuffer(value)) found.push(value.toString('base64'));
  }
  return found;
}
