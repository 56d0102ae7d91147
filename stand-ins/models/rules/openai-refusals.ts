// OpenAI's refusals, for all of its surfaces.
import { badRequest, Refusal } from '../refusal.ts';
import { quoteAll } from './loose.ts';

export const unknownParameter = (name: string): Refusal =>
  new Refusal('unknown_parameter', `Unknown parameter: '${name}'.`, name);
export const missingParameter = (name: string): Refusal =>
  new Refusal('missing_parameter', `Missing required parameter: '${name}'.`, name);
export const unsupportedParameter = (name: string, instead = ''): Refusal =>
  new Refusal(
    'unsupported_parameter',
    `Unsupported parameter: '${name}' is not supported with this model.${instead}`,
    name,
  );
export const emptyArray = (name: string): Refusal =>
  new Refusal(
    'empty_array',
    `Invalid '${name}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    name,
  );
export const onlyWith = (name: string, other: string): Refusal =>
  badRequest(
    `Invalid value for '${name}': '${name}' is only allowed when '${other}' ${other === 'tools' ? 'are specified' : 'is enabled'}.`,
    name,
  );

export function invalidValue(value: unknown, supported: readonly string[], field: string): Refusal {
  return new Refusal(
    'invalid_value',
    `Invalid value: '${String(value)}'. Supported values are: ${quoteAll(supported, ', and ')}.`,
    field,
  );
}

const NAME = '^[a-zA-Z0-9_-]+$';
const LONGEST_NAME = 64;

export function wrongName(name: unknown, field: string): Refusal | undefined {
  if (typeof name !== 'string') return missingParameter(field);
  if (name.length > LONGEST_NAME) return tooLong(name, LONGEST_NAME, field);
  return new RegExp(NAME).test(name)
    ? undefined
    : new Refusal(
        'invalid_value',
        `Invalid '${field}': string does not match pattern. Expected a string that matches the pattern '${NAME}'.`,
        field,
      );
}

export function tooLong(text: string, most: number, field: string): Refusal {
  return new Refusal(
    'too_long',
    `Invalid '${field}': string too long. Expected a string with maximum length ${most}, but got a string with length ${text.length} instead.`,
    field,
  );
}

const PICTURE =
  /^data:image\/(?:png|jpe?g|gif|webp);base64,(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A URL, or inline data of a known image type. */
export function wrongPicture(url: unknown, field: string): Refusal | undefined {
  if (typeof url !== 'string') return missingParameter(field);
  if (/^https?:\/\//.test(url)) return undefined;
  if (!url.startsWith('data:'))
    return new Refusal(
      'invalid_value',
      `Invalid '${field}'. Expected a valid URL, but got a value with an invalid format.`,
      field,
    );
  return PICTURE.test(url)
    ? undefined
    : new Refusal(
        'bad_image',
        "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
        field,
      );
}
