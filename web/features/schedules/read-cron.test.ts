import { describe, expect, it } from 'vitest';
import { german } from './strings.de.ts';
import { describeCron } from './strings.ts';

describe('a cron line in plain words', () => {
  it.each([
    ['0 9 * * 1-5', 'At 09:00, Monday to Friday', 'Um 09:00, Monday bis Friday'],
    ['30 8,17 * * MON,THU', 'At 08:30 and 17:30, on Monday and Thursday', 'Um 08:30 and 17:30, am Monday and Thursday'],
    ['0 9 * * *', 'At 09:00, every day', 'Um 09:00, jeden Tag'],
    ['*/15 * * * *', 'Every 15 minutes, every day', 'Alle 15 Minuten, jeden Tag'],
    ['* * * * 0', 'Every minute, on Sunday', 'Jede Minute, am Sunday'],
    ['5 * * * *', 'Every hour at minute 5, every day', 'Jede Stunde in Minute 5, jeden Tag'],
    ['0 0 1 */3 *', 'At 00:00, on day 1 of the month, in January, April, July, and October', undefined],
    ['0 0 1,15 * 7', 'At 00:00, on day 1 and 15 of the month and on Sunday', undefined],
  ])('%s', (line, english, deutsch) => {
    expect(describeCron(line)).toBe(english);
    // Names and lists are those of the page's language, which a unit test does not have.
    if (deutsch !== undefined) expect(german.describeCron(line)).toBe(deutsch);
  });

  it.each([
    '0 0 L * *',
    '0 0 15W * *',
    '0 9 * * MON#2',
    '*/7 * * * *',
    '0 9 * *',
    '61 * * * *',
    '0-30 9-17 * * *',
    'x x x x x',
    '',
  ])('%s has none', (line) => expect(describeCron(line)).toBeUndefined());
});
