// Pipes for the output of a command. Node would use sockets, which cannot be opened by name: a script that writes to
// /dev/stderr would fail. Named pipes owned by the run's user work; they are unlinked at once.
import { constants, openSync } from 'node:fs';
import { chown, type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { newId } from '../../base/ids.ts';
import type { Programs } from './programs.ts';
import { mustRun } from './run-program.ts';

const POOL_SIZE = 16;

export interface OutputPipes {
  /** The command's ends: standard output and standard error. */
  readonly writers: readonly [number, number];
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** To be called once the command has its ends, or will never start. */
  closeWriters(): Promise<void>;
}

/** Named pipes created in advance: Node cannot create one, and starting a program per command would cost too much. */
export function createPipePool(programs: Programs, directory: string): { take(): Promise<string> } {
  let stock: Promise<string[]> = Promise.resolve([]);
  const make = async (): Promise<string[]> => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const paths = Array.from({ length: POOL_SIZE }, () => join(directory, newId('pipe')));
    await mustRun([programs.mkfifo, '-m', '600', ...paths]);
    return paths;
  };
  return {
    async take() {
      for (;;) {
        const path = (await stock).pop();
        if (path !== undefined) return path;
        stock = make();
        // The current caller gets the error, and the next one tries again.
        stock.catch(() => (stock = Promise.resolve([])));
      }
    },
  };
}

export type PipeStock = ReturnType<typeof createPipePool>;

export async function openOutputPipes(stock: PipeStock, uid: number | undefined): Promise<OutputPipes> {
  const paths = [await stock.take(), await stock.take()];
  const opened: { reader: number; writer: FileHandle }[] = [];
  for (const path of paths) {
    if (uid !== undefined) await chown(path, uid, uid);
    // The reader first: opened this way it does not wait for a writer, and the writer then does not wait for a reader.
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    opened.push({ reader, writer: await open(path, constants.O_WRONLY) });
    await unlink(path);
  }
  const [out, err] = opened;
  if (out === undefined || err === undefined) throw new Error('two pipes were requested');
  return {
    writers: [out.writer.fd, err.writer.fd],
    stdout: new Socket({ fd: out.reader, readable: true, writable: false }),
    stderr: new Socket({ fd: err.reader, readable: true, writable: false }),
    async closeWriters() {
      await Promise.all([out.writer.close(), err.writer.close()]);
    },
  };
}
