import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type LiveOutput, liveOutput } from '../../contract/jobs.ts';
import { OUTPUT_FILE, SHOWN_CHARS } from '../record/live-output.ts';

/** A character can take six bytes of JSON. */
const MOST_BYTES = 8 * SHOWN_CHARS;

/** Undefined when nothing is shown, or while it is being written. */
export async function readLiveOutput(runDirectory: string): Promise<LiveOutput | undefined> {
  const file = await open(join(runDirectory, OUTPUT_FILE)).catch(() => undefined);
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
    return liveOutput.safeParse(JSON.parse(buffer.toString('utf8', 0, bytesRead))).data;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
