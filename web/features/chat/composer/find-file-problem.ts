// Why a file cannot be attached, said before it is uploaded. Pure; the server decides by content and has the last word.
import { ATTACHMENT_LIMITS, SHOWN_IMAGES } from '../../../../src/contract/attachments.ts';
import { attachStrings as strings } from '../strings.ts';

interface ChosenFile {
  readonly name: string;
  readonly size: number;
  readonly type: string;
}

/** Whatever type a browser claims for them: some say that they are archives. */
const OFFICE = /\.(?:doc[xm]|xls[xm]|ppt[xm]|od[tsp])$/i;
const OTHER_OFFICE = /\.(?:doc|xlsb?|ppt|pages|numbers|key)$/i;
/** Never text, whatever is in it. SVG is text. */
const UNREADABLE = /^(?:audio|video|font)\/|^application\/(?:zip|gzip|x-(?:7z|rar|tar)\S*|vnd\.rar)$/;

/** `attached` is how many files the message has already. */
export function findFileProblem({ name, size, type }: ChosenFile, attached: number): string | undefined {
  if (attached >= ATTACHMENT_LIMITS.files) return strings.tooMany;
  if (size > ATTACHMENT_LIMITS.bytes) return strings.tooLarge;
  if (OFFICE.test(name)) return undefined;
  if (OTHER_OFFICE.test(name)) return strings.office;
  const isOtherImage = type.startsWith('image/') && type !== 'image/svg+xml' && !SHOWN_IMAGES.includes(type);
  if (isOtherImage) return strings.otherImage;
  return UNREADABLE.test(type) ? strings.unreadable : undefined;
}
