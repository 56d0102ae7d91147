import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesOf, makeSbom } from './sbom.ts';

const ROOT = join(import.meta.dirname, '..');
const named = (files: string[]): string[] => makeSbom(ROOT, files).components.map(({ purl }) => purl);

describe('the SBOM of a build', () => {
  it('lists the packages of the files it is given, and the Node that runs them', () => {
    expect(
      named([
        'src/base/config.ts',
        'node_modules/hono/dist/hono.js',
        join(ROOT, 'node_modules/@hono/node-server/dist/index.mjs'),
        '\0vite/preload-helper.js',
      ]),
    ).toEqual([
      expect.stringMatching(/^pkg:npm\/%40hono\/node-server@\d/),
      expect.stringMatching(/^pkg:npm\/hono@\d/),
      expect.stringMatching(/^pkg:npm\/node@24\./),
    ]);
  });

  it('finds packages in a directory that is linked', () => {
    expect(
      named([
        '../elsewhere/node_modules/hono/dist/hono.js',
        '../elsewhere/node_modules/@ai-sdk/mcp/node_modules/undici/index.js',
      ]),
    ).toEqual(named(['node_modules/hono/dist/hono.js', 'node_modules/@ai-sdk/mcp/node_modules/undici/index.js']));
  });

  it('tells two versions of a package apart, and lists one that is installed twice once', () => {
    const undici = [
      'node_modules/undici/index.js',
      'node_modules/@ai-sdk/mcp/node_modules/undici/index.js',
      'node_modules/@ai-sdk/provider-utils/node_modules/undici/index.js',
    ];
    const listed = named(undici).filter((purl) => purl.startsWith('pkg:npm/undici@'));
    expect(listed).toHaveLength(2);
    expect(new Set(listed).size).toBe(2);
  });

  it('leaves out what the bundler dropped', () => {
    const input = (bytesInOutput: number): { bytesInOutput: number } => ({ bytesInOutput });
    expect(
      filesOf({
        inputs: {},
        outputs: {
          'a.js': {
            bytes: 1,
            inputs: { 'node_modules/a/a.js': input(1), 'node_modules/b/b.js': input(0) },
            imports: [],
            exports: [],
          },
        },
      }),
    ).toEqual(['node_modules/a/a.js']);
  });

  it('says which component needs which, as Node would find it', () => {
    const { dependencies, metadata } = makeSbom(ROOT, [
      'node_modules/@ai-sdk/mcp/x.js',
      'node_modules/undici/x.js',
      'node_modules/@ai-sdk/mcp/node_modules/undici/x.js',
    ]);
    const needed = (of: string): string =>
      dependencies.find(({ ref }) => ref.startsWith(of))?.dependsOn.find((ref) => ref.startsWith('pkg:npm/undici@')) ??
      '';
    expect(needed('pkg:npm/%40ai-sdk/mcp@')).not.toBe(needed(metadata.component['bom-ref']));
  });

  it('is the same for the same build, in whatever order the files come, and holds no path', () => {
    const files = ['node_modules/zod/index.js', 'node_modules/hono/dist/hono.js', 'node_modules/pg/lib/index.js'];
    const text = JSON.stringify(makeSbom(ROOT, files));
    expect(JSON.stringify(makeSbom(ROOT, files.toReversed()))).toBe(text);
    expect(text).not.toContain(ROOT);
    expect(text).not.toContain('node_modules');
    expect(JSON.stringify(makeSbom(ROOT, files.slice(1)))).not.toContain(/urn:uuid:[^"]+/.exec(text)?.[0]);
  });

  it('refuses a package that the lock file does not know', () => {
    expect(() => makeSbom(ROOT, ['node_modules/never-heard-of/x.js'])).toThrow(
      'node_modules/never-heard-of is in a bundle and not in package-lock.json',
    );
  });
});
