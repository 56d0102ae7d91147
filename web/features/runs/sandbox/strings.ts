// Of the sandbox that runs work in: the chat has them too, without the texts of runs.
import {
  describeConfinement as confinementEnglish,
  describeWeakness as weaknessEnglish,
} from '../../../../src/contract/describe-confinement.ts';
import { inLanguage } from '../../../language/language.ts';

export const sandboxStrings = inLanguage('sandboxStrings', {
  off: 'Runs are unavailable on this deployment',
  offText: 'A secure sandbox cannot be created here, so runs cannot be started. Everything else works.',
  why: (reason: string): string => `Reason: ${reason}.`,
  unreachable: 'New runs have to wait',
  unreachableText: 'The sandbox controller is not responding. Runs you start now begin as soon as it does.',
  fix: (fix: string): string => `What your operator can do: ${fix}.`,
});

export const describeConfinement = inLanguage('describeConfinement', confinementEnglish);
export const describeWeakness = inLanguage('describeWeakness', weaknessEnglish);
