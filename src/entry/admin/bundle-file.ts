import { readFile, writeFile } from 'node:fs/promises';
import { type BundleCheck, checkBundle, writeBundle } from '../../base/secrets-bundle.ts';
import { OperatorError } from './operator-error.ts';

export async function initBundleFile(file: string): Promise<{ file: string }> {
  try {
    await writeFile(file, writeBundle(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new OperatorError(
        `${file} already exists`,
        'It may hold keys that are in use. Name another file, or check this one with: servicectl bundle check',
      );
    throw new OperatorError(`cannot write ${file}: ${message}`, 'Name a file that you may write.');
  }
  return { file };
}

export async function checkBundleFile(
  file: string,
  allowPlaceholders: boolean,
): Promise<BundleCheck & { file: string }> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `cannot read ${file}: ${error.message}`,
      'Name the bundle, or make one with: servicectl bundle init',
    );
  });
  return { file, ...checkBundle(text, { allowPlaceholders }) };
}
