// A path as a caller writes it, as segments beneath /workspace. Only plain names are accepted; what they lead to is
// checked when they are opened, segment by segment.
import { AppError } from '../base/errors.ts';

const MAX_STEPS = 64;
const MAX_NAME_BYTES = 255;

export function resolveWorkspacePath(path: string): string[] {
  const refuse = (why: string): never => {
    throw new AppError('invalid_request', { path: why });
  };
  const relative =
    path === '/workspace' ? '' : path.startsWith('/workspace/') ? path.slice('/workspace/'.length) : path;
  if (relative.startsWith('/')) refuse('must be relative, or beneath /workspace');
  const steps = relative.split('/').filter((step) => step !== '' && step !== '.');
  if (steps.includes('..')) refuse('must not contain ..');
  if (relative.includes('\0')) refuse('must not contain a null byte');
  if (steps.length > MAX_STEPS || steps.some((step) => Buffer.byteLength(step) > MAX_NAME_BYTES)) refuse('is too long');
  return steps;
}
