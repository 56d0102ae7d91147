import { Alert, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { readFault } from '../../api/fault.ts';
import type { runtime } from '../../api/runtime-client.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { chainFaults, receiptStrings as strings } from './strings.ts';
import { receiptAnchor } from './receipt-row.tsx';
import { ShowHash } from './show-hash.tsx';

interface VerifyResultProps {
  stream: string;
  result: Awaited<ReturnType<typeof runtime.receipts.verify>> | undefined;
  error: unknown;
  /** Whether the fault is on the page. */
  shown: boolean;
}

export function VerifyResult({ stream, result, error, shown }: VerifyResultProps): ReactElement {
  return (
    <>
      {result?.ok === true && (
        <Alert color="pine" icon={<Icon name="check" />} title={strings.verified}>
          <Text size="sm">{strings.verifiedText(result.count)}</Text>
          {result.head !== null && (
            <Text size="sm" component="div">
              {strings.head} <ShowHash hash={result.head.hash} copyLabel={strings.copyHash} />
            </Text>
          )}
        </Alert>
      )}
      {result?.ok === false && result.index !== undefined && (
        <Alert color="red" icon={<Icon name="alert" />} title={strings.broken(result.index)}>
          <Text size="sm">{result.reason === undefined ? '' : chainFaults[result.reason]}</Text>
          {!shown && (
            <ButtonLink
              to="/receipts/$stream"
              params={{ stream }}
              search={{ at: String(result.index) }}
              hash={receiptAnchor(result.index)}
              size="xs"
              variant="default"
              mt="xs"
            >
              {strings.showAt(result.index)}
            </ButtonLink>
          )}
        </Alert>
      )}
      {error !== null && error !== undefined && (
        <Alert color="red" icon={<Icon name="alert" />}>
          {readFault(error).text}
        </Alert>
      )}
    </>
  );
}
