import { Text } from '@mantine/core';
import type { ReactElement } from 'react';
import type { MessageMetadata } from '../../../src/contract/threads.ts';
import { answerStrings as strings } from './strings.ts';

const dollars = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 });

/** The model, who paid, and the cost. */
export function AnswerDetails({
  metadata,
  modelName,
}: {
  metadata: MessageMetadata;
  modelName: string | undefined;
}): ReactElement | null {
  const { credential, cost, inputTokens, outputTokens } = metadata;
  const facts = [
    modelName ?? metadata.model,
    credential && strings.credentials[credential],
    cost === undefined ? undefined : credential === 'platform' ? dollars.format(cost) : strings.noCost,
    inputTokens === undefined || outputTokens === undefined ? undefined : strings.tokens(inputTokens, outputTokens),
  ].filter((fact) => fact !== undefined);
  if (facts.length === 0) return null;
  return (
    <Text component="span" size="xs" c="dimmed" className="answer-details">
      {facts.join(' · ')}
    </Text>
  );
}
