import { inLanguage } from '../language/language.ts';

export const installedStrings = inLanguage('installedStrings', {
  newVersion: 'A new version is available.',
  reload: 'Reload',
});

export const notificationStrings = inLanguage('notificationStrings', {
  title: 'Notifications',
  text: 'Your browser tells you when a run that you started here ends, and when an answer is complete while you are in another tab. A tab of the app has to be open.',
  on: 'Notify me on this device',
  titles: 'Show the title of the chat or the objective of the run',
  titlesText: 'Others may see it on your screen. Without it, a notification says only that something has ended.',
  denied: 'Your browser blocks notifications of this site. Allow them in its settings, then turn this on.',
  unsupported:
    'This browser cannot show notifications here. On an iPhone or iPad, add the app to the Home Screen first.',
  mailRuns: 'Send me an email when a run that I started ends',
  mailRunsText: 'On all devices. It says how the run ended, and neither its objective nor its result.',
  tellMe: 'Tell me when it ends',
  willTell: 'You will be notified when it ends.',
  ended: { completed: 'A run has finished', failed: 'A run has failed', aborted: 'A run was stopped' },
  answer: { done: 'An answer is complete', failed: 'An answer could not be completed' },
});
