import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { createEventStreamReader } from './read-event-stream.ts';

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

function frame(headers: Buffer, payload: string): Buffer {
  const prelude = Buffer.concat([u32(16 + headers.length + payload.length), u32(headers.length)]);
  const all = Buffer.concat([prelude, u32(crc32(prelude)), headers, Buffer.from(payload)]);
  return Buffer.concat([all, u32(crc32(all))]);
}

/** A text, a flag, a number and a time. */
const HEADERS = Buffer.concat([
  Buffer.from('\x02:a\x07\x00\x03one'),
  Buffer.from('\x01b\x00'),
  Buffer.from('\x01c\x04\x00\x00\x00\x01'),
  Buffer.from('\x01d\x08\x00\x00\x00\x00\x00\x00\x00\x01'),
  Buffer.from('\x02:e\x07\x00\x03two'),
]);

it('reads messages however they are cut', () => {
  const sent = Buffer.concat([frame(HEADERS, 'first'), frame(Buffer.alloc(0), ''), frame(HEADERS, 'last')]);
  for (const size of [1, 7, 16, sent.length]) {
    const read = createEventStreamReader();
    const messages = [];
    for (let at = 0; at < sent.length; at += size) messages.push(...read(sent.subarray(at, at + size)));
    expect(messages.map(({ payload }) => payload.toString())).toEqual(['first', '', 'last']);
    expect([...(messages[2]?.headers ?? [])]).toEqual([
      [':a', 'one'],
      [':e', 'two'],
    ]);
  }
});

it('refuses a damaged stream, wherever the damage is', () => {
  const sent = frame(HEADERS, 'payload');
  for (let at = 0; at < sent.length; at++) {
    const damaged = Buffer.from(sent);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
    expect(() => createEventStreamReader()(damaged)).toThrow(/damaged/);
  }
  const huge = Buffer.concat([u32(2 ** 31), u32(0)]);
  expect(() => createEventStreamReader()(Buffer.concat([huge, u32(crc32(huge))]))).toThrow('impossible length');
});
