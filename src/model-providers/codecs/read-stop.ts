import { isAbsent, readList, readText, type Faults } from './read-fields.ts';

export function readStop(value: unknown, path: string, faults: Faults): string[] {
  if (isAbsent(value)) return [];
  if (typeof value === 'string') return value === '' ? [] : [value];
  const found = readList(value, path, faults).map((item, index) => readText(item, `${path}.${index}`, faults));
  return found.filter((text) => text !== '');
}
