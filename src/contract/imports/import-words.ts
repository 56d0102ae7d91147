// The words of an import: where chats come from, what becomes of each, and why something was not taken. The pages name
// them, the server counts by them.

export const IMPORT_SOURCES = ['chatgpt', 'claude', 'librechat'] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

export const IMPORT_STATES = ['uploading', 'waiting', 'running', 'done', 'failed', 'cancelled'] as const;

export const IMPORT_OUTCOMES = ['taken', 'present', 'left-out'] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

/** Why a whole chat or project was not taken. */
export const IMPORT_REASONS = [
  'unknown-format',
  'damaged',
  'empty',
  'too-large',
  'too-many-messages',
  'too-many-projects',
  'not-wanted',
  'example',
  'internal',
] as const;
export type ImportReason = (typeof IMPORT_REASONS)[number];

/** What of a chat or project that was taken was not. */
export const IMPORT_NOTES = [
  'file-missing',
  'file-unsupported',
  'file-too-large',
  'storage-full',
  'settings',
  'unknown-part',
  'version',
  'document',
  'instructions-cut',
] as const;
export type ImportNote = (typeof IMPORT_NOTES)[number];
export type ImportNotes = Readonly<Partial<Record<ImportNote, number>>>;

export const IMPORT_LIMITS = {
  /** Of every part of an upload but the last, which may be smaller. */
  partBytes: 4 * 1024 * 1024,
  /** Characters of a file name. */
  name: 200,
} as const;
