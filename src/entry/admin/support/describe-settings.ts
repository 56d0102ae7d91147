// The configuration by name: what is set, and from where. The table of variables marks those whose values may be told.
import { ENVIRONMENT, ENVIRONMENT_PATTERNS, type Variable, type VariableName } from '../../../base/environment.ts';
import { isSet } from '../../../stack/environment-values.ts';
import { isInFile } from '../describe-environment.ts';
import type { Deployment } from '../doctor/deployment.ts';

type Given = Readonly<Record<string, string | undefined>>;

interface Setting {
  readonly from: 'variable' | 'file' | 'deployment' | 'default' | 'nothing';
  /** The service refuses it. */
  readonly valid?: false;
  readonly value?: unknown;
}

/** `given` is what this program was started with: whatever else is set comes from a bundle or from the files of npm start. */
export function describeSettings({ environment, config, refused }: Deployment, given: Given): Record<string, Setting> {
  return Object.fromEntries([
    ...Object.entries<Variable>(ENVIRONMENT).map(([name, variable]): [string, Setting] => [
      name,
      {
        from: sourceOf(name, given, environment, 'default' in variable && variable.default !== undefined),
        ...(refused.has(name) ? { valid: false } : {}),
        ...('shown' in variable && !refused.has(name) ? { value: config[name as VariableName] } : {}),
      },
    ]),
    ...ENVIRONMENT_PATTERNS.map(({ name }): [string, unknown] => [name, { set: countSet(name, environment) }]),
  ]) as Record<string, Setting>;
}

function sourceOf(name: string, given: Given, environment: Given, hasDefault: boolean): Setting['from'] {
  if (isSet(given[name])) return 'variable';
  if (isInFile(given, name)) return 'file';
  if (isSet(environment[name])) return 'deployment';
  return hasDefault ? 'default' : 'nothing';
}

function countSet(pattern: string, environment: Given): number {
  const [start = '', end = ''] = pattern.split('<PREFIX>');
  return Object.entries(environment).filter(
    ([name, value]) => name.startsWith(start) && name.endsWith(end) && isSet(value),
  ).length;
}
