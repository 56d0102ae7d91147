import { inLanguage } from '../../../language/language.ts';
import { german } from './strings.de.ts';

const tryEnglish = {
  tool: 'Tool',
  arguments: 'Arguments',
  mode: 'Argument format',
  modes: { form: 'Form', json: 'JSON' },
  json: 'Arguments as JSON',
  jsonInvalid: 'Enter a JSON object.',
  formCannotShow:
    'The form cannot show all of this. Stay in JSON, or remove the arguments that the tool does not have.',
  required: 'This is required.',
  numberInvalid: 'Enter a number.',
  integerInvalid: 'Enter a whole number.',
  fieldJsonInvalid: 'This is not valid JSON.',
  listHint: 'One per line.',
  jsonHint: 'As JSON.',
  notSet: 'Not set',
  yes: 'Yes',
  no: 'No',
  noArguments: 'This tool takes no arguments.',
  allowWrite: 'Call with the connect:write scope',
  allowWriteText: (app: string): string => `This tool changes data in ${app}. Calls without connect:write are refused.`,
  disabled: 'This action is off for this connection, so calls are refused. An owner or admin can turn it on above.',
  call: 'Call tool',
  cancel: 'Stop waiting',
  result: 'Result',
  running: 'Calling…',
  status: (status: number): string => `Status ${status}`,
  ok: 'Success',
  failed: 'The app returned an error',
  refused: 'The call was refused',
  headers: 'Headers',
  body: 'Body',
  emptyBody: 'The response has no body.',
  cutBody: (shown: string, all: string): string => `Showing the first ${shown} of ${all} characters.`,
  copyBody: 'Copy body',
  receipt: 'Receipt',
  showReceipt: (index: number): string => `Show receipt ${index}`,
  reconnect: 'The app no longer accepts this connection. Reconnect it, then try again.',
  writeScope:
    'Writes need the connect:write scope. Select the checkbox above to call with it. For a program, create a token with this scope.',
  notEnabled: 'This connection does not have the tool, or it is off. An owner or admin can turn it on.',
} as const;

/** The texts of this file by the name that they are exported by. */
export const english = {
  tryStrings: tryEnglish,
};

export const { tryStrings } = inLanguage(english, german);
