import { holdRelease, packageRoot, programDirectory } from '../base/package-root.ts';
import { releaseStartMemory } from '../base/run-process.ts';
import { stackMain } from '../stack/main.ts';
import { PARTS } from '../stack/parts.ts';

holdRelease();
releaseStartMemory();
await stackMain({ table: PARTS, bundles: programDirectory(), root: packageRoot() });
