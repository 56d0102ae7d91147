import { Alert, Badge, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactElement } from 'react';
import { Icon } from '../../../kit/look/icons.tsx';
import { CopyAction } from '../../../kit/copy-field.tsx';
import { AnchorLink } from '../../../kit/links.tsx';
import { tryStrings as strings } from './strings.ts';
import type { CallOutcome, ReceiptPointer } from './call-tool.ts';
import { formatNumber } from '../../../language/format.ts';

/** More would slow down the page; the button copies all of it. */
const SHOWN_CHARACTERS = 100_000;

export function ToolResult({ outcome }: { outcome: CallOutcome }): ReactElement {
  const { receipt } = outcome;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Group gap="sm">
          <Title order={3}>{strings.result}</Title>
          <output>
            <Group gap="xs" component="span">
              <Badge color={outcome.kind === 'answered' && outcome.ok ? 'pine' : 'red'}>
                {strings.status(outcome.status)}
              </Badge>
              <Text size="sm" component="span">
                {headline(outcome)}
              </Text>
            </Group>
          </output>
        </Group>
        {receipt !== undefined && <ReceiptLink receipt={receipt} />}
      </Group>
      {outcome.kind === 'refused' ? <Refusal outcome={outcome} /> : <Answer outcome={outcome} />}
    </Stack>
  );
}

function headline(outcome: CallOutcome): string {
  if (outcome.kind === 'refused') return strings.refused;
  return outcome.ok ? strings.ok : strings.failed;
}

function ReceiptLink({ receipt: { stream, index } }: { receipt: ReceiptPointer }): ReactElement {
  return (
    <AnchorLink to="/receipts/$stream" params={{ stream }} search={{ at: String(index) }} size="sm">
      {strings.showReceipt(index)}
    </AnchorLink>
  );
}

function Refusal({
  outcome: { code, text, fields },
}: {
  outcome: Extract<CallOutcome, { kind: 'refused' }>;
}): ReactElement {
  return (
    <Alert color="red" icon={<Icon name="alert" />}>
      <Stack gap={4}>
        <code className="tool-name">{code}</code>
        {text !== code && <Text size="sm">{text}</Text>}
        {Object.entries(fields).map(([field, fault]) => (
          <Text key={field} size="sm">
            <code className="tool-name">{field}</code>: {fault}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}

function Answer({
  outcome: { headers, data, mustReconnect },
}: {
  outcome: Extract<CallOutcome, { kind: 'answered' }>;
}): ReactElement {
  const body = writeBody(data);
  const isCut = body.length > SHOWN_CHARACTERS;
  return (
    <>
      {mustReconnect && (
        <Alert color="yellow" icon={<Icon name="alert" />}>
          {strings.reconnect}
        </Alert>
      )}
      {Object.keys(headers).length > 0 && (
        <div>
          <Text size="sm" fw={550} mb={4}>
            {strings.headers}
          </Text>
          <dl className="result-headers">
            {Object.entries(headers).map(([name, value]) => (
              <div key={name} style={{ display: 'contents' }}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      <div>
        <Group justify="space-between" mb={6}>
          <Text size="sm" fw={550} id="result-body">
            {strings.body}
          </Text>
          {body !== '' && <CopyAction value={body} label={strings.copyBody} size="xs" />}
        </Group>
        {body === '' ? (
          <Text size="sm" c="dimmed">
            {strings.emptyBody}
          </Text>
        ) : (
          // Scrollable, so it must be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          <section className="result-body" tabIndex={0} aria-labelledby="result-body">
            <pre>{isCut ? body.slice(0, SHOWN_CHARACTERS) : body}</pre>
          </section>
        )}
        {isCut && (
          <Text size="sm" c="dimmed" mt={4}>
            {strings.cutBody(formatNumber(SHOWN_CHARACTERS), formatNumber(body.length))}
          </Text>
        )}
      </div>
    </>
  );
}

function writeBody(data: unknown): string {
  if (data === undefined || data === null) return '';
  return typeof data === 'string' ? data : JSON.stringify(data, undefined, 2);
}
