// What providers count for images and documents, per their documentation, never underestimated. A model without a row
// is counted like the most expensive one.
import { isProviderId, type ProviderId } from '../providers.ts';
import { countPdf } from './count-pdf.ts';
import { readImageSize } from './read-image-size.ts';

export interface MediaTokens {
  image(bytes: Buffer): number;
  /** A document that cannot be counted may fill a model's whole context. */
  pdf(bytes: Buffer): { readonly most: number; readonly likely: number };
}

interface MediaRow {
  readonly model: RegExp;
  /** Pixels of a square that is one token, before `factor`. */
  readonly square: number;
  readonly factor: number;
  /** The tokens of the largest image, however large its file. */
  readonly most: number;
  /** The image that is rendered of every page. */
  readonly page: number;
}

const ROWS: Readonly<Record<ProviderId, readonly MediaRow[]>> = {
  // 28 × 28 pixels per token; a larger image is scaled down.
  anthropic: [{ model: /./, square: 28, factor: 1.1, most: 4_784, page: 4_784 }],
  openai: [
    // Tiles of 512 pixels, eight at most.
    { model: /^gpt-4o-mini/, square: 1, factor: 1, most: 48_169, page: 48_169 },
    {
      model:
        /^(?:gpt-4o|gpt-4-turbo|gpt-4\.1(?!-mini|-nano)|gpt-4\.5|chatgpt-4o|o1|o3(?!-mini)|gpt-5(?:$|-chat|-\d{4}))/,
      square: 1,
      factor: 1,
      most: 1_445,
      page: 1_445,
    },
    // Patches of 32 pixels, weighted by the model.
    { model: /^(?:gpt-4\.1|gpt-5)-(?:mini|nano)|^o4-mini/, square: 32, factor: 2.5, most: 3_840, page: 3_840 },
    { model: /./, square: 32, factor: 2.5, most: 25_000, page: 6_250 },
  ],
};

const MOST_EXPENSIVE: MediaRow = { model: /./, square: 1, factor: 1, most: 48_169, page: 48_169 };

/** "1,500 to 3,000 tokens a page, depending on content density"; a page with more text is counted by its text. */
const PAGE_TEXT_TOKENS = 3_000;
/** Overhead per image or page. */
const FRAME_TOKENS = 16;

export function mediaTokens(provider: string, model: string): MediaTokens {
  const rows = isProviderId(provider) ? ROWS[provider] : [];
  const row = rows.find((one) => one.model.test(model)) ?? MOST_EXPENSIVE;
  return {
    image(bytes) {
      const size = readImageSize(bytes);
      const squares = size
        ? Math.ceil(size.width / row.square) * Math.ceil(size.height / row.square) * row.factor
        : row.most;
      // A tiled image may be scaled up, so it is counted as the largest.
      return Math.ceil(row.square === 1 ? row.most : Math.min(row.most, squares)) + FRAME_TOKENS;
    },
    pdf(bytes) {
      const length = countPdf(bytes);
      if (!length) return { most: Number.MAX_SAFE_INTEGER, likely: row.page + PAGE_TEXT_TOKENS };
      const pictures = length.pages * (row.page + FRAME_TOKENS);
      return {
        most: pictures + Math.max(length.pages * PAGE_TEXT_TOKENS, length.textBytes),
        likely: pictures + length.pages * PAGE_TEXT_TOKENS,
      };
    },
  };
}
