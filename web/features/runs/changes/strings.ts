import { formatNumber, plural } from '../../../language/format.ts';
import { inLanguage } from '../../../language/language.ts';
import type { ChangedFile } from '../../../../src/contract/patches/run-changes.ts';

export const changeNames = inLanguage('changeNames', {
  added: 'Added',
  modified: 'Changed',
  deleted: 'Deleted',
  renamed: 'Renamed',
} satisfies Record<ChangedFile['status'], string>);

export const changesStrings = inLanguage('changesStrings', {
  title: 'Changes',
  failed: 'The changes could not be loaded',
  loading: 'Loading …',
  files: (count: number): string => plural(count, { one: '# file', other: '# files' }),
  on: (repository: string, base: string): string => `in ${repository}, compared with ${base}`,
  onUnnamed: (base: string): string => `compared with ${base}`,
  lines: (added: number, deleted: number): string =>
    `${formatNumber(added)} lines added, ${formatNumber(deleted)} deleted`,
  layout: 'Layout',
  unified: 'One column',
  split: 'Side by side',
  download: 'Download patch',
  list: 'Changed files',
  show: 'Show',
  hide: 'Hide',
  from: (path: string): string => `was ${path}`,
  binary: 'This file is not text.',
  noLines: 'Its content is the same.',
  notInPatch: 'This file is not in the patch: all files together are too large.',
  noPatch: 'The patch was not kept, because the organization’s storage is full.',
  cut: 'The patch has only the first files, because all files together are too large.',
  more: (count: number): string =>
    plural(count, { one: '# more file is not listed', other: '# more files are not listed' }),
  diff: (path: string): string => `What changed in ${path}`,
  addedLine: 'added',
  removedLine: 'deleted',
  /** Behind the number of a line. */
  commentHere: ' comment on this line',
  commentOld: ' (deleted) comment on this line',
  comment: 'Comment',
  commentPlaceholder: 'What should be different here?',
  keep: 'Add comment',
  cancel: 'Cancel',
  kept: 'Added to your message below.',
  applyHint: 'In a working copy of the repository:',
});

export const pushStrings = inLanguage('pushStrings', {
  label: 'Push',
  hint: 'When the run is complete, the service pushes what it did to a new branch, if the connection allows that.',
  nothing: 'Nothing',
  branch: 'A branch',
  pullRequest: 'A branch, and open a pull request',
  pushed: (branch: string): string => `Pushed to ${branch}`,
  notPushed: 'Nothing was pushed',
  open: 'Open the pull request',
  noPullRequest: (problem: string): string => `There is no pull request: ${problem}.`,
});
