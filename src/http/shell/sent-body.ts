// The JSON body of a request to a model, once it has arrived and its values are counted. A small one is parsed here; a
// large one is read by a thread, and only what is small of it comes back.
import type { ServerResponse } from 'node:http';
import { AppError } from '../../base/errors.ts';
import { LARGE, parseMeasured } from '../../base/parse-json.ts';
import { type BodyKind, type ReadBody } from '../../turns/bodies/body-job.ts';
import { createLargeBody, type LargeBody } from '../../turns/bodies/large-body.ts';
import { WRITTEN_FIELDS } from '../../model-providers/codecs/pass-through.ts';
import { getBody, type Loose } from '../../model-providers/codecs/read-fields.ts';
import type { Received } from './admission/admission.ts';

/** A body of `/v1`. */
export interface SentBody {
  /** If it is large, its large fields are empty here. */
  readonly body: Loose;
  readonly bytes: number;
  /** Hands the body over to threads; called once. */
  readonly asLarge: () => LargeBody;
  /** What a thread has read of it, if it is large. */
  readonly read?: ReadBody | undefined;
}

export async function readSentBody(
  { content, values }: Received,
  response: ServerResponse,
  kind: BodyKind,
): Promise<SentBody> {
  const bytes = content.length;
  const asLarge = (): LargeBody => createLargeBody(content, kind, leavingOf(response));
  if (bytes <= LARGE.bytes && values <= LARGE.values)
    return { body: getBody(parseMeasured(content, WRITTEN_FIELDS)), bytes, asLarge };
  const large = asLarge();
  const read = await large.read();
  return { body: read.head, bytes, asLarge: () => large, read };
}

/** The body of a question of the web app. */
export async function readQuestion({ content }: Received): Promise<Loose> {
  if (content.length <= LARGE.bytes) return getBody(parseMeasured(content));
  return (await createLargeBody(content, 'question', undefined).read()).head;
}

/** Aborted when the client disconnects. */
function leavingOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => controller.abort(new AppError('invalid_request', { body: 'is no longer waited for' }));
  if (response.destroyed) leave();
  else response.once('close', () => response.writableFinished || leave());
  return controller.signal;
}
