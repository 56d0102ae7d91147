import { join } from 'node:path';
import { packageRoot } from '../base/package-root.ts';
import { stackMain } from '../stack/main.ts';
import { PARTS } from '../stack/parts.ts';

const root = packageRoot();
await stackMain({ table: PARTS, bundles: join(root, 'dist'), root });
