import { brokerUrl } from '../net/addresses.ts';
import { executeConcurrencyOf, groupOf, PROCESS_ROLES } from '../process/process-roles.ts';
import { connectRole, type RoleBroker, type RoleOptions } from '../broker/client/connect-role.ts';
import type { RoleDeps } from './role-deps.ts';

/** The role's connection to the broker: its group, its heartbeats and its stream. */
export function openBroker({ role, config, log, processId }: RoleDeps, register?: RoleOptions['register']): RoleBroker {
  const { sendsHeartbeats, registersFunctions, bindsPort } = PROCESS_ROLES[role];
  const credit = registersFunctions ? executeConcurrencyOf(role, config) : 0;
  return connectRole({
    url: brokerUrl(config),
    group: groupOf(role, config),
    pid: processId,
    heartbeats: sendsHeartbeats,
    polls: !bindsPort,
    ...(credit === undefined ? {} : { credit }),
    token: config.SERVICE_BROKER_TOKEN,
    log,
    ...(register ? { register } : {}),
  });
}
