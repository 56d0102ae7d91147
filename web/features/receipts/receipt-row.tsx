import { Alert, Badge, Text } from '@mantine/core';
import { memo, type ReactElement, type ReactNode } from 'react';
import type { ReceiptOnWire } from '../../../src/contract/receipts.ts';
import { FoldedText } from '../../kit/folded-text.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { receiptStrings as strings } from './strings.ts';
import { ShowHash } from './show-hash.tsx';

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export const receiptAnchor = (index: number): string => `receipt-${index}`;

interface ReceiptRowProps {
  receipt: ReceiptOnWire;
  /** The readable actor. */
  by: string;
  /** Whether it arrived while the page was open. */
  isNew: boolean;
  /** Why the chain breaks at this receipt. */
  fault?: ReactNode;
}

export const ReceiptRow = memo(function ReceiptRow({ receipt, by, isNew, fault }: ReceiptRowProps): ReactElement {
  const { index, kind, at, actor, prev, hash, body, stream } = receipt;
  return (
    <li
      className="receipt"
      id={receiptAnchor(index)}
      data-broken={fault === undefined ? undefined : true}
      tabIndex={-1}
    >
      <div className="receipt-head">
        <h3 className="receipt-index">
          <span className="receipt-number">{strings.index(index)}</span>
        </h3>
        <Badge color={colorOf(kind)}>{kind}</Badge>
        {isNew && <Badge variant="filled">{strings.isNew}</Badge>}
        <Text component="span" size="sm" c="dimmed">
          <time dateTime={at}>{moment.format(new Date(at))}</time> {strings.by} <span title={actor}>{by}</span>
        </Text>
      </div>
      <dl className="links">
        <div>
          <dt>{strings.previous}</dt>
          <dd>
            {index === 0 ? (
              strings.genesis
            ) : (
              <AnchorLink
                to="/receipts/$stream"
                params={{ stream }}
                search={{ at: String(index - 1) }}
                hash={receiptAnchor(index - 1)}
                resetScroll={false}
                size="sm"
                className="hash-link"
              >
                <Icon name="link" size={14} />
                {strings.index(index - 1)}
              </AnchorLink>
            )}
            <ShowHash hash={prev} copyLabel={strings.copyPrevious} />
          </dd>
        </div>
        <div>
          <dt>{strings.hash}</dt>
          <dd>
            <ShowHash hash={hash} copyLabel={strings.copyHash} />
          </dd>
        </div>
      </dl>
      <FoldedText label={strings.body} text={JSON.stringify(body, undefined, 2)} />
      {fault !== undefined && (
        <Alert color="red" icon={<Icon name="alert" />} mt="xs" title={strings.brokenHere}>
          {fault}
        </Alert>
      )}
    </li>
  );
});

function colorOf(kind: string): string {
  if (/failed|aborted/.test(kind)) return 'red';
  return /observed|completed/.test(kind) ? 'pine' : 'gray';
}
