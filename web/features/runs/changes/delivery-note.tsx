import { Alert, Anchor } from '@mantine/core';
import type { ReactElement } from 'react';
import { readDelivery } from '../../../../src/contract/patches/read-delivery.ts';
import { Icon } from '../../../kit/look/icons.tsx';
import { pushStrings as strings } from './strings.ts';

/** Where the commits of a run were pushed, or why they were not; renders nothing if that was not asked for. */
export function DeliveryNote({ result }: { result: unknown }): ReactElement | null {
  const delivery = readDelivery(result);
  if (delivery === undefined) return null;
  const { branch, url, problem } = delivery;
  return (
    <Alert
      color={problem === undefined ? 'pine' : 'yellow'}
      icon={<Icon name={problem === undefined ? 'check' : 'alert'} />}
      title={branch === undefined ? strings.notPushed : strings.pushed(branch)}
    >
      {url !== undefined && (
        <Anchor href={url} target="_blank" rel="noreferrer">
          {strings.open}
        </Anchor>
      )}
      {problem !== undefined && (branch === undefined ? problem : strings.noPullRequest(problem))}
    </Alert>
  );
}
