// Why a file cannot be added to a project, said before it is uploaded. Pure; the server decides by content.
import { PROJECT_LIMITS } from '../../../src/contract/project-limits.ts';
import { fileStrings as strings } from './strings.ts';

/** `count` is how many files the project has already, with those that are on their way. */
export function findFileProblem(
  { size, type }: { readonly size: number; readonly type: string },
  count: number,
): string | undefined {
  if (count >= PROJECT_LIMITS.files) return strings.tooMany;
  if (size > PROJECT_LIMITS.bytes) return strings.tooLarge;
  return type.startsWith('image/') && type !== 'image/svg+xml' ? strings.image : undefined;
}

/** Why the text of an added file could not be read. */
export function explainReason(reason: string | undefined): string {
  return (strings.reasons as Record<string, string>)[reason ?? ''] ?? strings.otherReason;
}
