import { tryStrings as strings } from './strings.ts';

/** What to do about refusals that can be fixed on this page. */
export function explainRefusal(code: string): string | undefined {
  if (code.endsWith('requires connect:write')) return strings.writeScope;
  return code === 'integration action not found or disabled' ? strings.notEnabled : undefined;
}

/** `arguments.data.name` of a refusal is the field `data/name` of the form. */
export function toFieldFaults(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, fault]) => [name.replace(/^arguments\./, '').replaceAll('.', '/'), fault]),
  );
}
