// A path as a caller writes it, as steps beneath /workspace. Only plain names pass; what they lead to is judged when
// they are opened, step by step.
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
  if (steps.includes('..')) refuse('must not step upwards');
  if (relative.includes('\0')) refuse('must not hold a zero byte');
  if (steps.length > MAX_STEPS || steps.some((step) => Buffer.byteLength(step) > MAX_NAME_BYTES)) refuse('is too long');
  return steps;
}
