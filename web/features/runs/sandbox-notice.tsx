import './runs.css';
import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { UNREACHABLE } from '../../../src/contract/describe-confinement.ts';
import { sandboxQuery } from './queries.ts';
import { translateSentence } from '../../api/fault.ts';
import { TellMe } from '../../installed/tell-me.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import { useSignedIn } from '../../session/organization-context.ts';
import { describeWeakness, sandboxStrings as strings } from './sandbox/strings.ts';

/** Shown before a run is started: runs are unavailable, or their limits are weak. */
export function SandboxNotice(): ReactElement | null {
  const { organization } = useSignedIn();
  const { data: sandbox } = useQuery(sandboxQuery(organization.id));
  if (sandbox === undefined) return null;
  if (sandbox.ok) {
    const weakness = describeWeakness(sandbox.limits);
    if (weakness === undefined) return null;
    return (
      <Text size="sm" c="dimmed" role="note" className="sandbox-notice">
        {weakness}
      </Text>
    );
  }
  const { reason, fix } = sandbox;
  const lines =
    reason === UNREACHABLE
      ? [strings.unreachableText, strings.fix(translateSentence(fix))]
      : [strings.offText, strings.why(translateSentence(reason)), strings.fix(translateSentence(fix))];
  return (
    <Alert
      color={reason === UNREACHABLE ? 'gray' : 'yellow'}
      icon={<Icon name="alert" />}
      title={reason === UNREACHABLE ? strings.unreachable : strings.off}
      role="note"
      className="sandbox-notice"
    >
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Alert>
  );
}

/** The same as a line below a message that starts a run. */
export function RunHint({ hint }: { hint: string }): ReactElement {
  const { organization } = useSignedIn();
  const { data: sandbox } = useQuery(sandboxQuery(organization.id));
  const isOff = sandbox?.ok === false && sandbox.reason !== UNREACHABLE;
  const more =
    sandbox === undefined || isOff
      ? undefined
      : sandbox.ok
        ? describeWeakness(sandbox.limits)
        : strings.unreachableText;
  return (
    <Text component="div" size="xs" px="sm" pb={6} {...(isOff ? { role: 'note' } : { c: 'dimmed' })}>
      {isOff ? `${strings.off}. ${strings.why(translateSentence(sandbox.reason))}` : hint}
      {more !== undefined && ` ${more}`} <TellMe />
    </Text>
  );
}
