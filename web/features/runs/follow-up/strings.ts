import { inLanguage } from '../../../language/language.ts';

export const followUpStrings = inLanguage('followUpStrings', {
  title: 'Follow up',
  label: 'Message to the run',
  hint: 'Enter sends. Shift and Enter start a new line.',
  send: 'Send',
  reply: 'Reply',
  whenQueued: 'The run reads your message when it begins.',
  whenRunning: 'The run reads your message before its next step.',
  whenEnded:
    'Your message starts a new run that goes on from here, with the same settings and, while they are kept, the same files.',
  onlyStarter:
    'Only the person who started this run can speak to it while it works. Once it has ended, everyone in the workspace can answer it.',
  noControl: 'Runs of the kind Control take no messages.',
  sent: 'Your message is waiting for the run.',
  started: 'A new run goes on from here.',
  waiting: 'Messages to the run',
  notRead: 'Not read yet',
  neverRead: 'Not read: the run ended first',
  again: 'Take up again',
  earlier: 'Earlier in this conversation',
  later: 'Later in this conversation',
  earlierRun: (objective: string): string => `Earlier run: ${objective}`,
  laterRun: (objective: string): string => `Later run: ${objective}`,
  gone: 'An earlier run is no longer there, or you may not see it.',
  loadFailed: 'A run of this conversation could not be loaded.',
  answerOf: 'Its answer',
  open: 'Open run',
  more: 'Open it to see the runs before it.',
  moreLater: 'Open it to see the runs after it.',
});
