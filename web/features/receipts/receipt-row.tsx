import './folded-text.css';
import { Alert, Badge, Text } from '@mantine/core';
import canonicalize from 'canonicalize';
import { memo, type ReactElement, type ReactNode } from 'react';
import type { ReceiptOnWire } from '../../../src/contract/receipts.ts';
import { Icon } from '../../kit/look/icons.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import type { Described } from './describe-receipt.ts';
import { receiptStrings as strings } from './strings.ts';
import { ShowHash } from './show-hash.tsx';
import { formatDate } from '../../language/format.ts';

export const receiptAnchor = (index: number): string => `receipt-${index}`;

interface ReceiptRowProps {
  receipt: ReceiptOnWire;
  text: string;
  outcome: Described['outcome'];
  /** Whether it arrived while the page was open. */
  isNew: boolean;
  /** Why the chain breaks at this receipt. */
  fault?: ReactNode;
}

export const ReceiptRow = memo(function ReceiptRow(props: ReceiptRowProps): ReactElement {
  const { receipt, text, outcome, isNew, fault } = props;
  const { index, at } = receipt;
  return (
    <li
      className="receipt"
      id={receiptAnchor(index)}
      data-broken={fault === undefined ? undefined : true}
      data-outcome={outcome}
      tabIndex={-1}
    >
      <div className="receipt-head">
        <h3 className="receipt-text">{text}</h3>
        {isNew && <Badge variant="filled">{strings.isNew}</Badge>}
      </div>
      <Text size="sm" c="dimmed">
        <time dateTime={at}>{formatDate(at, 'second')}</time> · {strings.index(index)}
      </Text>
      <Evidence receipt={receipt} open={fault !== undefined} />
      {fault !== undefined && (
        <Alert color="red" icon={<Icon name="alert" />} mt="xs" title={strings.brokenHere}>
          {fault}
        </Alert>
      )}
    </li>
  );
});

/** What makes it a receipt: its link, its hash, and the exact text that the hash covers. */
function Evidence({ receipt, open }: { receipt: ReceiptOnWire; open: boolean }): ReactElement {
  const { index, kind, at, actor, prev, hash, body, stream } = receipt;
  return (
    <details className="evidence folded-text" open={open}>
      <summary>{strings.evidence}</summary>
      <dl className="links">
        <div>
          <dt>{strings.kindOf}</dt>
          <dd>{kind}</dd>
        </div>
        <div>
          <dt>{strings.actor}</dt>
          <dd>{actor}</dd>
        </div>
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
      <Text size="sm" c="dimmed" mt={4}>
        {strings.canonical}
      </Text>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text is scrolled with the keyboard too */}
      <pre tabIndex={0} className="canonical">
        {canonicalize({ actor, at, body, kind })}
      </pre>
    </details>
  );
}
