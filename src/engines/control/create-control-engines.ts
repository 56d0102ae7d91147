import type { Engine } from '../../runs/delivery/engine.ts';
import type { ControlDeps } from './control-deps.ts';
import type { ControlTask } from '../../runs/delivery/control-tasks.ts';
import { eraseDue } from './erase-due.ts';
import { recordCheckpoint } from './record-checkpoint.ts';
import { removeOldArtifacts } from './remove-old-artifacts.ts';
import { sweepConnections } from './sweep-connections.ts';
import { sendMail } from './send-mail.ts';
import { verifyChains } from './verify-chains.ts';
import { warnOfCaps } from './warn-of-caps.ts';

/** The engine for each of the service's own tasks. */
export function createControlEngines(deps: ControlDeps): Readonly<Record<ControlTask, Engine>> {
  return {
    checkpoint: recordCheckpoint(deps),
    'verify-chains': verifyChains(deps),
    retention: removeOldArtifacts(deps),
    'read-repair': sweepConnections(deps),
    erase: eraseDue(deps),
    mail: sendMail(deps),
    'cap-warnings': warnOfCaps(deps),
  };
}
