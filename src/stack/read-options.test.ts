import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOptions, UsageError } from './read-options.js';

const refusal = (...argv: string[]): string => {
  try {
    readOptions(argv);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
  }
  throw new Error('was not refused');
};

describe('the options of npm start', () => {
  it('are all optional', () => {
    expect(readOptions([])).toEqual({ verbose: false, help: false });
  });

  it('give a port and a data directory, resolved', () => {
    expect(readOptions(['--port', '5000', '--data-dir=some/where', '--verbose'])).toEqual({
      port: 5000,
      dataDirectory: resolve('some/where'),
      verbose: true,
      help: false,
    });
  });

  it.each(['0', '65530', '65534', '70000', 'x', '', '4000.5', '-1'])('refuse the port %j', (port) => {
    expect(refusal(`--port=${port}`)).toContain('--port takes a port number');
  });

  it('refuse what they do not know, in one line that names it', () => {
    expect(refusal('--prot', '4000')).toContain("'--prot'");
    expect(refusal('start')).toContain("'start'");
    expect(refusal('--port')).not.toContain('\n');
    expect(refusal('--data-dir=')).toContain('--data-dir takes a directory');
  });
});
