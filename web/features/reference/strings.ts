import { plural } from '../../language/format.ts';
import { inLanguage } from '../../language/language.ts';

export const referenceStrings = inLanguage('referenceStrings', {
  title: 'HTTP interface',
  description: 'Every route of this service, also available as OpenAPI 3.1.',
  openApi: 'openapi.json',
  search: 'Search routes',
  placeholder: 'For example: POST chat',
  subjects: 'Subjects',
  count: (routes: number): string => plural(routes, { one: '# route', other: '# routes' }),
  nothing: 'No routes match.',
  failed: 'The reference could not be loaded.',
  caller: 'Caller',
  anyone: 'Anyone. No token is needed.',
  parameters: 'Parameters',
  body: 'Body',
  answer: 'Answer',
  otherwise: 'any other status',
  field: 'Field',
  where: 'In',
  type: 'Type',
  meaning: 'Meaning',
  required: 'required',
  link: (route: string): string => `Link to ${route}`,
});
