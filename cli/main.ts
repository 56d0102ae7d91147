import { processHost } from './host.ts';
import { run } from './run.ts';

const host = processHost();
// A reader that closes the pipe early, such as `head`, is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await run(process.argv.slice(2), host);
