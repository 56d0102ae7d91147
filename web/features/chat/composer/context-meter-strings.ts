import { formatNumber, plural } from '../../../language/format.ts';
import { inLanguage } from '../../../language/language.ts';

export const meterStrings = inLanguage('meterStrings', {
  label: 'Context and cost of the next message:',
  percent: (percent: number): string => `${percent}%`,
  underOne: '<1%',
  about: (cost: string): string => `≈ ${cost}`,
  used: (tokens: number, of: number): string => `About ${formatNumber(tokens)} of ${formatNumber(of)} tokens`,
  window: (window: string): string => `The model takes ${window} tokens, of which some are kept free for the answer.`,
  smallest: (model: string): string =>
    `Any model of this route may answer, so ${model} with the smallest context counts.`,
  parts: {
    instructions: 'Instructions',
    files: 'Project files',
    history: 'Conversation',
    draft: 'Your draft',
    attachments: 'Attachments',
  },
  cost: (cost: string): string => `Likely cost: ${cost}`,
  costText: (input: number, output: number): string =>
    `An estimate: ${formatNumber(input)} tokens in, and an answer of ${formatNumber(output)} tokens.`,
  cached: (tokens: number): string =>
    `${formatNumber(tokens)} of the input come from the provider’s cache, as last time.`,
  at: (name: string): string => `Several may answer. The price is that of ${name}.`,
  ownKey: 'Your own provider key pays. The figure is the list price.',
  demo: 'Demo models cost nothing.',
  unknown: 'The price of this model is not known here.',
  near: 'Nearly full. When it is full, the oldest messages are no longer sent to the model.',
  cuts: 'The conversation and this message do not fit. The oldest messages will not be sent to the model.',
  leftOut: (count: number): string =>
    plural(count, {
      one: 'The conversation does not fit. The oldest message is no longer sent to the model.',
      other: 'The conversation does not fit. The oldest # messages are no longer sent to the model.',
    }),
  tooLong: 'This message is longer than the context of the model, which will probably refuse it.',
  changeTo: (model: string, window: string): string => `Use ${model} (${window} tokens)`,
  summarize: 'Ask for a summary for a new chat',
  summaryPrompt:
    'Summarize this conversation so that I can continue it in a new chat: the goal, what was decided, what is still open, and every detail that the next steps need.',
});
