// What a delivery says: JSON, or a form. Some senders put JSON into the form's one field `payload`.
import { isUtf8 } from 'node:buffer';
import { AppError } from '../../base/errors.ts';
import { isForm, parseJson, requireText } from '../../base/parse-json.ts';

export type DeliveryHeaders = Pick<Headers, 'get'>;

/** Refuses text that is not JSON, is nested too deeply or cannot be stored. */
export function readPayload(body: Buffer, headers: DeliveryHeaders): unknown {
  if (!isUtf8(body)) throw new AppError('invalid_request', { body: 'must be UTF-8' });
  if (!isForm(headers.get('content-type'))) return parseJson(body);
  const fields = Object.fromEntries(new URLSearchParams(body.toString('utf8')));
  requireText(fields);
  const { payload } = fields;
  return payload === undefined || Object.keys(fields).length > 1 ? fields : parseJson(Buffer.from(payload));
}

/** The fields of a payload that is an object; undefined for anything else. */
export function readFields(body: Buffer, headers: DeliveryHeaders): Readonly<Record<string, unknown>> | undefined {
  try {
    return fieldsOf(readPayload(body, headers));
  } catch {
    return undefined;
  }
}

export function fieldsOf(payload: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof payload === 'object' && payload !== null && !Array.isArray(payload)
    ? (payload as Readonly<Record<string, unknown>>)
    : undefined;
}
