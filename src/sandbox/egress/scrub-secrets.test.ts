import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScrubber, scrubText, secretsOf } from './scrub-secrets.ts';

const KEY = 'sk-never/inside+0123456789';
const SECRETS = secretsOf({ Authorization: `Bearer ${KEY}`, 'x-service-workspace': 'wks_visible_to_all' });

async function scrub(secrets: readonly Buffer[], pieces: readonly (string | Buffer)[]): Promise<string> {
  return (
    await buffer(Readable.from(pieces.map((piece) => Buffer.from(piece))).pipe(createScrubber(secrets)))
  ).toString('latin1');
}

describe('what comes back from an upstream', () => {
  it.each([
    ['as it is', KEY],
    ['with its scheme', `Bearer ${KEY}`],
    ['in a URL', encodeURIComponent(KEY)],
    ['in JSON that escapes slashes', KEY.replaceAll('/', '\\/')],
    ['in hexadecimal', Buffer.from(KEY).toString('hex')],
    ['in base64', Buffer.from(KEY).toString('base64')],
    ['in base64, with one byte before', Buffer.from(`:${KEY}`).toString('base64')],
    ['in base64, with two bytes before and some behind', Buffer.from(`k:${KEY}"}`).toString('base64')],
    ['in base64 for URLs', Buffer.from(`token=${KEY}`).toString('base64url')],
  ])('holds no credential of a broker: %s', async (_how, text) => {
    const clean = await scrub(SECRETS, [`before ${text} after`]);
    expect(clean).toHaveLength(`before ${text} after`.length);
    expect(clean).toMatch(/^before .*\*{8,}.* after$/);
    expect(scrubText(SECRETS, `x ${text} y`)).toMatch(/\*{8,}/);
    // What is left of base64 are at most the characters that share bits with the neighbours.
    expect(clean.replaceAll(/[*\s]|before|after/g, '').length).toBeLessThanOrEqual(
      text.startsWith('Bearer') || text === KEY ? 0 : 10,
    );
  });

  it('holds neither side of basic authentication', async () => {
    const pair = Buffer.from('x-access-token:ghp_0123456789abcdef').toString('base64');
    const secrets = secretsOf({ authorization: `Basic ${pair}` });
    expect(await scrub(secrets, [`${pair} ghp_0123456789abcdef x-access-token:ghp_0123456789abcdef`])).not.toMatch(
      /ghp_|[A-Za-z0-9]{8}/,
    );
  });

  it('keeps what is only a setting, and what is too short to be told from a word', async () => {
    expect(secretsOf({ 'anthropic-version': '2023-06-01', accept: 'application/json', 'x-token': 'abc' })).toEqual([]);
    expect(await scrub(SECRETS, ['wks_visible_to_all'])).toBe('wks_visible_to_all');
  });

  it('is clean wherever the pieces are cut, and otherwise unchanged', async () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constant(KEY),
        fc.constant(KEY.slice(0, 9)),
        fc.constant(KEY.slice(3)),
        fc.constant('Bearer '),
        fc.string({ maxLength: 5 }),
      ),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(
        pieces,
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 8 }),
        async (parts, sizes) => {
          const whole = Buffer.from(parts.join(''));
          const cut: Buffer[] = [];
          for (let at = 0, turn = 0; at < whole.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1;
            cut.push(whole.subarray(at, at + size));
            at += size;
          }
          const clean = await scrub(SECRETS, cut);
          expect(clean).not.toContain(KEY);
          expect(clean).toBe(await scrub(SECRETS, [whole]));
          expect(clean.length).toBe(whole.length);
          for (const [index, character] of [...clean].entries())
            if (character !== '*') expect(character).toBe(whole.toString('latin1')[index]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('goes on at once when it cannot be the beginning of a credential', async () => {
    const scrubber = createScrubber(SECRETS);
    scrubber.write('data: hello\n\n');
    expect(String(scrubber.read())).toBe('data: hello\n\n');
    scrubber.write('data: sk-nev');
    expect(String(scrubber.read())).toBe('data: ');
    scrubber.end('er mind');
    expect((await buffer(scrubber)).toString()).toBe('sk-never mind');
  });
});
