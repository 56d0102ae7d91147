// Why PostgreSQL or initdb ended, from what it wrote to its log since it was started. Its messages are in English
// whatever the locale of the machine is, because both run with LC_ALL=C.
import { readFile } from 'node:fs/promises';

/** What it tells those who connect meanwhile says nothing about why it ended. */
const TO_CLIENTS =
  /^(?:the database system is|terminating connection|sorry, too many clients|password authentication failed)/;
const COMPLAINT = /^.*?(?:initdb: error|FATAL|PANIC|error while loading shared libraries):\s+(.*)$/gm;

/** The last complaint after that many bytes of the log, if there is one. */
export async function findComplaint(logFile: string, fromByte: number): Promise<string | undefined> {
  const text = await readFile(logFile).then(
    (bytes) => bytes.subarray(fromByte).toString('utf8'),
    () => '',
  );
  return [...text.matchAll(COMPLAINT)]
    .map(([, complaint = '']) => complaint.trim())
    .findLast((complaint) => !TO_CLIENTS.test(complaint));
}
