// What a rating may say, and how much of a chat it may show.

export const FEEDBACK_LIMITS = {
  /** Characters of a reason. */
  reason: 500,
  /** Characters of the question and of the answer that a person includes; the rest is cut off. */
  text: 20_000,
  /** Rows of a CSV file; the rest is read with its cursor. */
  rows: 10_000,
} as const;
