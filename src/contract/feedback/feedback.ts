// Thumbs up and down on answers, and what owners and admins read of them.
import { z } from 'zod';
import { route } from '../authority.ts';
import { done, id, nextCursor, page, served, timestamp } from '../common.ts';
import { FEEDBACK_LIMITS } from './feedback-limits.ts';

const rating = z.enum(['up', 'down']);
export type Rating = z.infer<typeof rating>;

/** What a person said about an answer, as they see it themselves. */
export const givenFeedback = z.object({
  rating,
  reason: z.string(),
  /** Whether owners and admins see the question and the answer. */
  include: z.boolean(),
});
export type GivenFeedback = z.infer<typeof givenFeedback>;

const entry = z.object({
  id,
  rating,
  reason: z.string(),
  /** The model that was asked. */
  model: z.string(),
  served,
  project: id.optional(),
  workspace: id,
  thread: id,
  message: id,
  member: id,
  /** Only if the person chose to include them. */
  question: z.string().optional(),
  answer: z.string().optional(),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type FeedbackEntry = z.infer<typeof entry>;

const sums = z.object({ up: z.number().int(), down: z.number().int() });

const answer = { thread: id, message: id };

export const feedback = {
  give: route('database', 'own')
    .route({
      method: 'PUT',
      path: '/api/threads/{thread}/messages/{message}/feedback',
      tags: ['Feedback'],
      summary: 'Rate an answer',
      description:
        'Owners and admins of the organization see the rating, the reason, the model and who gave it; the question and the answer only with `include`, as a copy of that moment. Rating again replaces it.',
    })
    .input(
      z.strictObject({
        ...answer,
        rating,
        reason: z
          .string()
          .trim()
          .max(FEEDBACK_LIMITS.reason)
          .refine((text) => !text.includes('\0'), 'must not contain the character NUL')
          .optional(),
        include: z.boolean().optional(),
      }),
    )
    .output(z.object({ feedback: givenFeedback })),
  withdraw: route('database', 'own')
    .route({
      method: 'DELETE',
      path: '/api/threads/{thread}/messages/{message}/feedback',
      tags: ['Feedback'],
      summary: 'Take a rating back',
    })
    .input(z.strictObject(answer))
    .output(done),
  list: route('database', 'settings:feedback')
    .route({
      method: 'GET',
      path: '/api/organizations/{org}/feedback',
      tags: ['Feedback'],
      summary: 'Ratings of answers, the latest first',
      description: `\`model\` matches the model that was asked or that answered; \`from\` and \`to\` are days (UTC). \`total\` counts all ratings that match. With \`accept: text/csv\`, up to ${FEEDBACK_LIMITS.rows} rows as CSV; if there are more, the response has their cursor in \`x-next-cursor\`.`,
    })
    .input(
      z.strictObject({
        org: id,
        rating: rating.optional(),
        model: z.string().min(1).max(200).optional(),
        project: id.optional(),
        from: z.iso.date().optional(),
        to: z.iso.date().optional(),
        ...page,
      }),
    )
    .output(z.object({ feedback: z.array(entry), total: sums, ...nextCursor })),
};
