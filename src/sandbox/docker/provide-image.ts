import { findError } from './docker-program.ts';
import type { Engine, EngineRefusal } from './find-engine.ts';

const PULL_MS = 10 * 60_000;
const IMAGE_ID = /^(?:sha256:)?[0-9a-f]{12,64}$/;

/** The name under which the engine has the image. It is pulled here, once, so that no run waits for a registry. */
export async function provideImage(
  { program, info }: Engine,
  image: string,
): Promise<{ ok: true; image: string } | EngineRefusal> {
  const full = info.kind === 'podman' ? qualifyImage(image) : image;
  for (const name of new Set([image, full])) {
    if ((await program.run(['image', 'inspect', '--format', '{{.Id}}', name])).code === 0)
      return { ok: true, image: name };
  }
  const { code, stderr } = await program.run(['pull', '--quiet', full], { timeoutMs: PULL_MS });
  return code === 0
    ? { ok: true, image: full }
    : {
        ok: false,
        reason: `${info.kind} does not have the image ${full} and cannot fetch it (${findError(stderr)})`,
        fix: `fetch it by hand (${info.kind} pull ${full}), or name another in SERVICE_SANDBOX_IMAGE`,
      };
}

/** Docker knows where a short name leads; podman needs it in its configuration, which may lack it. */
export function qualifyImage(image: string): string {
  if (IMAGE_ID.test(image)) return image;
  const [first = '', ...rest] = image.split('/');
  if (rest.length === 0) return `docker.io/library/${image}`;
  return /[.:]/.test(first) || first === 'localhost' ? image : `docker.io/${image}`;
}
