import { expect, it } from 'vitest';
import { PROJECT_LIMITS } from '../../../src/contract/project-limits.ts';
import { explainReason, findFileProblem } from './find-file-problem.ts';
import { fileStrings } from './strings.ts';

const TEXT = { size: 10, type: 'text/plain' };

it('lets text pass, and files whose type the browser does not know', () => {
  expect(findFileProblem(TEXT, 0)).toBeUndefined();
  expect(findFileProblem({ size: 10, type: '' }, PROJECT_LIMITS.files - 1)).toBeUndefined();
  expect(findFileProblem({ size: 10, type: 'image/svg+xml' }, 0)).toBeUndefined();
});

it('says what is too many, too large, or an image', () => {
  expect(findFileProblem(TEXT, PROJECT_LIMITS.files)).toBe(fileStrings.tooMany);
  expect(findFileProblem({ ...TEXT, size: PROJECT_LIMITS.bytes + 1 }, 0)).toBe(fileStrings.tooLarge);
  expect(findFileProblem({ ...TEXT, type: 'image/png' }, 0)).toBe(fileStrings.image);
});

it('explains every reason, also one that it does not know', () => {
  expect(explainReason('file_without_text')).toBe(fileStrings.reasons.file_without_text);
  for (const reason of ['internal', undefined]) expect(explainReason(reason)).toBe(fileStrings.otherReason);
});
