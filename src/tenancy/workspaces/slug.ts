import { randomBytes } from 'node:crypto';

const MAX_LENGTH = 40;
const RANDOM_TRIES = 4;

/** Slugs to try for a name, best first; the random ones are used if the plain one is taken. */
export function slugCandidates(name: string, fallback: string): string[] {
  const plain = slugOf(name) || fallback;
  return [plain, ...Array.from({ length: RANDOM_TRIES }, () => `${plain}-${randomBytes(3).toString('hex')}`)];
}

function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MAX_LENGTH)
    .replace(/-+$/, '');
}
