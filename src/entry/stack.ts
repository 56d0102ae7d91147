import { holdRelease, packageRoot, programDirectory } from '../base/package-root.ts';
import { stackMain } from '../stack/main.ts';
import { PARTS } from '../stack/parts.ts';

holdRelease();
await stackMain({ table: PARTS, bundles: programDirectory(), root: packageRoot() });
