import { Alert, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { readFault } from '../../api/fault.ts';
import type { ExportVerdict } from '../../../src/contract/verify-export.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { chainFaults, receiptStrings as strings } from './strings.ts';
import { receiptAnchor } from './receipt-row.tsx';
import { ShowHash } from './show-hash.tsx';

interface VerifyResultProps {
  stream: string;
  /** The server's and the browser's have the same shape. */
  result: VerdictOnPage | undefined;
  error: unknown;
  /** Whether the fault is on the page. */
  shown: boolean;
  by?: 'server' | 'browser';
}

interface VerdictOnPage extends Omit<ExportVerdict, 'reason' | 'index'> {
  readonly reason?: ExportVerdict['reason'] | undefined;
  readonly index?: number | undefined;
}

const SAID = {
  server: { intact: strings.verified, text: strings.verifiedText, broken: strings.broken },
  browser: { intact: strings.verifiedHere, text: strings.verifiedHereText, broken: strings.brokenHereBy },
} as const;

export function VerifyResult({ stream, result, error, shown, by = 'server' }: VerifyResultProps): ReactElement {
  const said = SAID[by];
  return (
    <>
      {result?.ok === true && (
        <Alert color="pine" icon={<Icon name="check" />} title={said.intact}>
          <Text size="sm">{said.text(result.count)}</Text>
          {result.head !== null && (
            <Text size="sm" component="div">
              {strings.head} <ShowHash hash={result.head.hash} copyLabel={strings.copyHash} />
            </Text>
          )}
        </Alert>
      )}
      {result?.ok === false && result.index !== undefined && (
        <Alert color="red" icon={<Icon name="alert" />} title={said.broken(result.index)}>
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
          {by === 'browser' && error instanceof Error && error.constructor === Error
            ? error.message
            : readFault(error).text}
        </Alert>
      )}
    </>
  );
}
