import { FEEDBACK_LIMITS } from '../../../src/contract/feedback/feedback-limits.ts';
import { formatNumber } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';

export const rateStrings = inLanguage('rateStrings', {
  up: 'Good answer',
  down: 'Bad answer',
  reason: 'What was good or bad about it? (optional)',
  include: 'Include this question and answer',
  includeHint:
    'Owners and admins of your organization see your rating, your reason, the model and your name. The text of the chat only with this.',
  save: 'Save',
  saved: 'Thanks for your feedback',
  withdraw: 'Remove rating',
  withdrawn: 'Rating removed',
});

export const feedbackStrings = inLanguage('feedbackStrings', {
  title: 'Feedback',
  description:
    'How members rated answers. Questions and answers are shown only where the person chose to include them.',
  rating: 'Rating',
  ratings: { all: 'All', up: 'Good', down: 'Bad' },
  model: 'Model',
  project: 'Project',
  any: 'Any',
  period: 'Period',
  periods: { week: '7 days', month: '30 days', quarter: '90 days', all: 'All time' },
  total: (up: string, down: string): string => `${up} good, ${down} bad`,
  csv: 'Download CSV',
  json: 'Download JSON',
  cut: `The file has the latest ${formatNumber(FEEDBACK_LIMITS.rows)} ratings or less. Choose a shorter period for the others.`,
  list: 'Ratings',
  empty: 'No ratings',
  emptyText: 'Ratings that members give to answers in chats appear here.',
  noReason: 'No reason given',
  unknownModel: 'Background run',
  unknownProject: 'Private or deleted project',
  included: 'Question and answer',
  question: 'Question',
  answer: 'Answer',
});
