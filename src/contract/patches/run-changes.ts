// What a run changed in its repository. The wire format, and what the browser and the terminal share.
import { z } from 'zod';

const counted = {
  /** Lines; 0 for what is not text. */
  additions: z.number().int().min(0),
  deletions: z.number().int().min(0),
};

const changedFile = z.object({
  path: z.string(),
  /** Its path before, if it was renamed. */
  from: z.string().optional(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed']),
  ...counted,
  /** Its content is not text. */
  binary: z.literal(true).optional(),
});
export type ChangedFile = z.infer<typeof changedFile>;

export const changesCount = z.object({ files: z.number().int().min(0), ...counted });
export type ChangesCount = z.infer<typeof changesCount>;

export const changes = z.object({
  /** Of the code host, such as `acme/app`. */
  repository: z.string(),
  /** The commit that they are changes to. */
  base: z.string(),
  /** Those of all files, also of files that are not listed. */
  total: changesCount,
  files: z.array(changedFile),
  /** Absent if it could not be kept. */
  patch: z
    .object({
      sha256: z.string(),
      bytes: z.number().int().min(0),
      /** The first files only: all of them would be too large. */
      cut: z.literal(true).optional(),
    })
    .optional(),
});
export type Changes = z.infer<typeof changes>;
