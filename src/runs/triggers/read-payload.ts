// What a delivery says: JSON, or a form. Some senders put JSON into the form's one field `payload`.
import { isUtf8 } from 'node:buffer';
import { AppError } from '../../base/errors.ts';
import { isForm, parseJson, requireText } from '../../base/parse-json.ts';

export type DeliveryHeaders = Pick<Headers, 'get'>;

export interface ReadPayload {
  readonly payload: unknown;
  /** Its JSON, as it was sent where that was JSON. */
  readonly json: Buffer;
}

/** Refuses text that is not JSON, is nested too deeply or cannot be stored. */
export function readPayload(body: Buffer, headers: DeliveryHeaders): ReadPayload {
  if (!isUtf8(body)) throw new AppError('invalid_request', { body: 'must be UTF-8' });
  if (!isForm(headers.get('content-type'))) return { payload: parseJson(body), json: body };
  const fields = Object.fromEntries(new URLSearchParams(body.toString('utf8')));
  requireText(fields);
  const { payload, ...others } = fields;
  const json = Buffer.from(
    payload !== undefined && Object.keys(others).length === 0 ? payload : JSON.stringify(fields),
  );
  return { payload: parseJson(json), json };
}

/** The fields of a payload that is an object. */
export function fieldsOf(payload: unknown): Readonly<Record<string, unknown>> {
  return typeof payload === 'object' && payload !== null ? (payload as Readonly<Record<string, unknown>>) : {};
}
