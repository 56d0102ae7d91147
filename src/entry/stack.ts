import { holdRelease, packageRoot, programDirectory } from '../process/package-root.ts';
import { releaseStartMemory } from '../process/run-process.ts';
import { stackMain } from '../stack/main.ts';
import { PARTS } from '../stack/parts.ts';

holdRelease();
releaseStartMemory();
await stackMain({ table: PARTS, bundles: programDirectory(), root: packageRoot() });
