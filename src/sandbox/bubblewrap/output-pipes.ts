// Pipes for the output of a command. Node would hand it sockets, which cannot be opened by name: a script that writes
// to /dev/stderr would fail. Named pipes that belong to the run's own user can be. They lose their names at once.
import { constants, openSync } from 'node:fs';
import { chown, type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { newId } from '../../base/ids.ts';
import type { Programs } from './programs.ts';
import { mustRun } from './run-program.ts';

export interface OutputPipes {
  /** Ends for the command: standard output, standard error. */
  readonly writers: readonly [number, number];
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** To be called once the command holds its ends, or will never start. */
  closeWriters(): Promise<void>;
}

export async function openOutputPipes(programs: Programs, directory: string, uid: number | undefined): Promise<OutputPipes> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const paths = ['out', 'err'].map((name) => join(directory, newId(name)));
  await mustRun(programs.mkfifo, ['-m', '600', ...paths]);
  const opened: { reader: number; writer: FileHandle }[] = [];
  for (const path of paths) {
    if (uid !== undefined) await chown(path, uid, uid);
    // The reader first: opened this way it waits for no writer, and a writer that follows waits for no reader.
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    opened.push({ reader, writer: await open(path, constants.O_WRONLY) });
    await unlink(path);
  }
  const [out, err] = opened;
  if (out === undefined || err === undefined) throw new Error('two pipes were asked for');
  return {
    writers: [out.writer.fd, err.writer.fd],
    stdout: new Socket({ fd: out.reader, readable: true, writable: false }),
    stderr: new Socket({ fd: err.reader, readable: true, writable: false }),
    async closeWriters() {
      await Promise.all([out.writer.close(), err.writer.close()]);
    },
  };
}
