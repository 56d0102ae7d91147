// Files of a container, read by programs inside it: a link planted by a run leads only into the container.
import { AppError } from '../../base/errors.ts';
import type { FileEntry, WorkspaceFiles } from '../driver.ts';
import { resolveWorkspacePath } from '../resolve-workspace-path.ts';
import type { Docker } from './docker-program.ts';

const TYPES: Readonly<Record<string, FileEntry['type']>> = {
  'regular file': 'file',
  'regular empty file': 'file',
  directory: 'directory',
  'symbolic link': 'symlink',
};
const MAX_LISTING_BYTES = 16 * 1024 * 1024;

export function containerFiles(docker: Docker, container: string): WorkspaceFiles {
  const inside = (script: string, path: string, input?: Buffer, maxBytes?: number): ReturnType<Docker['run']> =>
    docker.run(
      [
        'exec',
        ...(input === undefined ? [] : ['--interactive']),
        container,
        'sh',
        '-c',
        script,
        'files',
        ['/workspace', ...resolveWorkspacePath(path)].join('/'),
      ],
      { input, maxBytes },
    );
  const files: WorkspaceFiles = {
    async find(path) {
      const { code, stdout } = await inside('stat -c "%F|%s|%n" -- "$1"', path);
      return code === 0 ? parseEntry(stdout.trim()) : undefined;
    },
    async list(path, { after = '', limit }) {
      const { code, stdout } = await inside(
        'cd -- "$1" && find . -mindepth 1 -maxdepth 1 -exec stat -c "%F|%s|%n" -- {} +',
        path,
        undefined,
        MAX_LISTING_BYTES,
      );
      if (code !== 0) throw new AppError('not_found');
      const all = stdout
        .split('\n')
        .flatMap((line) => parseEntry(line) ?? [])
        .filter(({ name }) => name > after)
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
      const entries = all.slice(0, limit);
      const last = entries.at(-1);
      return { entries, ...(last !== undefined && all.length > entries.length ? { cursor: last.name } : {}) };
    },
    async read(path, maxBytes) {
      const found = await files.find(path);
      if (found === undefined) throw new AppError('not_found');
      if (found.type !== 'file') throw new AppError('invalid_request', { path: 'is not a plain file' });
      if (found.size > maxBytes)
        throw new AppError('request_too_large', { path: 'the file is too large', limitBytes: maxBytes });
      const { bytes } = await inside(`head -c ${maxBytes} -- "$1"`, path, undefined, maxBytes + 1024);
      return bytes;
    },
    async write(path, bytes) {
      const { code, stderr } = await inside(
        'mkdir -p -- "${1%/*}" && cat >"$1.part" && mv -fT -- "$1.part" "$1"',
        path,
        bytes,
      );
      if (code === 0) return;
      if (/no space/i.test(stderr)) throw new AppError('sandbox_disk_full');
      throw new AppError('invalid_request', { path: 'cannot be written' });
    },
  };
  return files;
}

function parseEntry(line: string): FileEntry | undefined {
  const [kind = '', size = '0', ...name] = line.split('|');
  if (name.length === 0) return undefined;
  const type = TYPES[kind] ?? 'other';
  return { name: name.join('|').replace(/^.*\//, ''), type, size: type === 'file' ? Number(size) : 0 };
}
