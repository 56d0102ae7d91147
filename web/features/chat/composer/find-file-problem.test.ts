import { describe, expect, it } from 'vitest';
import { findFileProblem } from './find-file-problem.ts';
import { attachStrings } from '../strings.ts';

const file = (name: string, type = '', size = 10) => ({ name, type, size });

describe('a file that was chosen', () => {
  it.each([
    ['photo.png', 'image/png'],
    ['paper.pdf', 'application/pdf'],
    ['drawing.svg', 'image/svg+xml'],
    ['main.rs', ''],
    ['data.json', 'application/json'],
    ['report.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['slides.PPTX', 'application/zip'],
    ['table.ods', ''],
  ])('is taken: %s', (name, type) => expect(findFileProblem(file(name, type), 0)).toBeUndefined());

  it.each([
    ['report.doc', 'application/msword', attachStrings.office],
    ['slides.KEY', '', attachStrings.office],
    ['photo.heic', 'image/heic', attachStrings.otherImage],
    ['song.mp3', 'audio/mpeg', attachStrings.unreadable],
    ['all.zip', 'application/zip', attachStrings.unreadable],
  ])('is refused before it is uploaded, with what to do: %s', (name, type, said) =>
    expect(findFileProblem(file(name, type), 0)).toBe(said),
  );

  it('must fit the limits of the server, which are said in words', () => {
    expect(findFileProblem(file('a.txt', 'text/plain', 20 * 1024 * 1024), 19)).toBeUndefined();
    expect(findFileProblem(file('a.txt', 'text/plain', 20 * 1024 * 1024 + 1), 0)).toBe('Larger than 20 MB.');
    expect(findFileProblem(file('a.txt'), 20)).toBe('A message can have at most 20 files.');
    expect(attachStrings.limits).toBe('Images, PDF, Office documents and text. At most 20 files of 20 MB each.');
  });
});
