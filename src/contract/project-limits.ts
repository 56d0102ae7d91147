// What a project may hold. The browser says it before something is written or chosen, the server holds to it.

export const PROJECT_LIMITS = {
  /** Projects that a workspace shares, and that each person keeps in it. */
  projects: 200,
  /** Characters of a name. */
  name: 100,
  /** Characters of a description. */
  description: 300,
  /** Characters of the instructions. */
  instructions: 8_000,
  /** Files of a project. */
  files: 30,
  /** Bytes of a file. */
  bytes: 20 * 1024 * 1024,
  /** Characters of a file's text that are searched; the rest is not. */
  characters: 300_000,
  /** Passages of files that a question is answered with. */
  passages: 8,
} as const;
