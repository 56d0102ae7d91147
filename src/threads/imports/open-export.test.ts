import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHATGPT, CLAUDE, chatGptZip, claudeZip, PIXEL, zip } from '../../../test/support/imports/export-samples.ts';
import { FileFault } from '../../documents/attachments/file-fault.ts';
import { EXPORT_LIMITS, openExport, type StoredBytes } from './open-export.ts';

const stored = (bytes: Buffer): StoredBytes => ({
  size: bytes.length,
  read: async (at, length) => bytes.subarray(at, at + length),
});

async function elementsOf(bytes: Buffer, freeBytes?: number): Promise<{ from: string; value: unknown }[]> {
  const found: { from: string; value: unknown }[] = [];
  for await (const { element, from, progress } of (await openExport(stored(bytes), freeBytes)).elements()) {
    expect(progress).toBeGreaterThan(0);
    expect(progress).toBeLessThanOrEqual(1);
    found.push({ from, value: element.tooLarge ?? JSON.parse(element.bytes.toString()) });
  }
  return found;
}

describe('an export', () => {
  it('is a ZIP archive, a list or one conversation', async () => {
    expect(await elementsOf(chatGptZip())).toEqual([{ from: 'conversations', value: CHATGPT }]);
    expect(await elementsOf(Buffer.from(JSON.stringify([CLAUDE, CLAUDE])))).toHaveLength(2);
    expect(await elementsOf(Buffer.from(JSON.stringify(CLAUDE)))).toEqual([{ from: 'conversations', value: CLAUDE }]);
  });

  it('has its projects first, and its conversations in the order of the files', async () => {
    expect((await elementsOf(claudeZip())).map(({ from }) => from)).toEqual(['projects', 'projects', 'conversations']);
    const parts = zip([
      { name: 'conversations-001.json', content: '[{"n":1}]' },
      { name: 'conversations-000.json', content: '[{"n":0}]' },
      { name: '__MACOSX/._conversations-000.json', content: 'x' },
      { name: 'message_feedback.json', content: '[{"n":9}]' },
    ]);
    expect((await elementsOf(parts)).map(({ value }) => value)).toEqual([{ n: 0 }, { n: 1 }]);
  });

  it('may be an archive of single conversations under any name', async () => {
    const single = zip([
      { name: 'a/Regex.json', content: '{"n":0}' },
      { name: 'b.json', content: '{"n":1}' },
      { name: 'users.json', content: '[{"n":9}]' },
    ]);
    expect((await elementsOf(single)).map(({ value }) => value)).toEqual([{ n: 0 }, { n: 1 }]);
  });
});

describe('files of an archive', () => {
  it('are found by the beginning of their names, as a whole', async () => {
    const opened = await openExport(stored(chatGptZip()));
    expect(await opened.findFile('file_0001')).toEqual({ name: 'file_0001-0c3e.png', content: PIXEL });
    expect(await opened.findFile('file_000')).toBeUndefined();
    expect(await opened.findFile('../../etc/file-Notes')).toMatchObject({ name: 'file-Notes-notes.txt' });
    expect(await opened.findFile('')).toBeUndefined();
  });

  it('are passed over if they are too large', async () => {
    const large = zip([
      { name: 'conversations.json', content: '[]' },
      { name: 'file-A.dat', content: Buffer.alloc(21 * 1024 * 1024) },
    ]);
    expect(await (await openExport(stored(large))).findFile('file-A')).toBe('too-large');
  });
});

describe('a hostile archive', () => {
  const faultOf = (bytes: Buffer): Promise<unknown> => elementsOf(bytes).catch((error: unknown) => error);

  it('is refused once it unpacks to far more than it is', async () => {
    const bomb = zip([{ name: 'conversations.json', content: Buffer.alloc(4 * 1024 * 1024, ' ') }]);
    expect(bomb.length * EXPORT_LIMITS.ratio).toBeLessThan(3 * 1024 * 1024);
    expect(await elementsOf(bomb, 1024).catch((error: unknown) => error)).toMatchObject({ kind: 'too_complex' });
  });

  it.each([
    ['encrypted', zip([{ name: 'conversations.json', content: '[]', encrypted: true }]), 'encrypted'],
    ['cut off', chatGptZip().subarray(0, 300), 'damaged'],
    ['JSON that ends early', zip([{ name: 'conversations.json', content: '[{}' }]), 'damaged'],
    ['no JSON', Buffer.from('hello'), 'damaged'],
    ['nothing', Buffer.alloc(0), 'damaged'],
  ])('is refused with its fault: %s', async (_, bytes, kind) => {
    expect(await faultOf(bytes)).toMatchObject({ kind });
  });

  it('throws nothing but a fault, wherever it is damaged', async () => {
    const whole = claudeZip();
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 6 }), async (at, bytes) => {
        const broken = Buffer.from(whole);
        broken.set(bytes, at % (broken.length - 6));
        const opened = await openExport(stored(broken)).catch((error: unknown) => error as Error);
        if (opened instanceof Error) {
          expect(opened).toBeInstanceOf(FileFault);
          return;
        }
        try {
          for await (const { element } of opened.elements()) void element;
        } catch (error) {
          expect(error).toBeInstanceOf(FileFault);
        }
      }),
      { numRuns: 300 },
    );
  });
});
