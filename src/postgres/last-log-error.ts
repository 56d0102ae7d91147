// Why PostgreSQL or initdb ended, from its log since it was started. Messages are in English whatever the locale of the
// machine, because both run with LC_ALL=C.
import { readFile } from 'node:fs/promises';

/** Messages to clients that connect in the meantime do not explain the exit. */
const TO_CLIENTS =
  /^(?:the database system is|terminating connection|sorry, too many clients|password authentication failed)/;
const COMPLAINT = /^.*?(?:initdb: error|FATAL|PANIC|error while loading shared libraries):\s+(.*)$/gm;

/** The last error message after this many bytes of the log, if any. */
export async function findLastLogError(logFile: string, fromByte: number): Promise<string | undefined> {
  const text = await readFile(logFile).then(
    (bytes) => bytes.subarray(fromByte).toString('utf8'),
    () => '',
  );
  return [...text.matchAll(COMPLAINT)]
    .map(([, complaint = '']) => complaint.trim())
    .findLast((complaint) => !TO_CLIENTS.test(complaint));
}
