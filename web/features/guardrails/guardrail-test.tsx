import { Badge, Button, Card, Code, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import type { GuardrailGroup, GuardrailMatch } from '../../../src/contract/guardrails.ts';
import { client } from '../../api/client.ts';
import { FormProblem } from '../../kit/form-problem.tsx';
import { splitMatches } from './split-matches.ts';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { guardrailKinds, guardrailStrings } from './strings.ts';

const strings = guardrailStrings.test;
const MOST_LISTED = 100;
const MOST_CHARACTERS = 100_000;

interface Result {
  readonly text: string;
  readonly matches: readonly GuardrailMatch[];
}

export function GuardrailTest({ group }: { group: GuardrailGroup }): ReactElement {
  const { organization } = useSignedIn();
  const [result, setResult] = useState<Result>();
  const { form, submit, pending, problem } = useServerForm({
    initialValues: { text: '' },
    send: ({ text }) =>
      client.guardrails.test({ org: organization.id, guardrail: group.id, version: group.version, text }),
    onDone: ({ matches }, { text }) => setResult({ text, matches }),
  });
  return (
    <Card>
      <Stack>
        <div>
          <Title order={2}>{strings.title}</Title>
          <Text size="sm" c="dimmed" mt={4}>
            {strings.text(group.version)}
          </Text>
        </div>
        <form onSubmit={submit} noValidate>
          <Stack gap="sm">
            <Textarea
              label={strings.sample}
              autosize
              minRows={3}
              maxRows={14}
              maxLength={MOST_CHARACTERS}
              {...form.getInputProps('text')}
            />
            <FormProblem text={problem} />
            <Group>
              <Button type="submit" loading={pending}>
                {strings.submit}
              </Button>
            </Group>
          </Stack>
        </form>
        <Text component="output" fw={550} display="block">
          {result !== undefined && (result.matches.length === 0 ? strings.none : strings.found(result.matches.length))}
        </Text>
        {result !== undefined && result.matches.length > 0 && <Matches {...result} />}
      </Stack>
    </Card>
  );
}

function Matches({ text, matches }: Result): ReactElement {
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long sample scrolls inside its frame, with the keyboard too */}
      <section className="sample" aria-label={strings.result} tabIndex={0}>
        {splitMatches(text, matches).map(({ text: part, start, kinds }) =>
          kinds.length === 0 ? (
            <span key={start}>{part}</span>
          ) : (
            <mark key={start} title={kinds.map(kindName).join(', ')}>
              {part}
            </mark>
          ),
        )}
      </section>
      <ul className="match-list" aria-label={strings.matches}>
        {matches.slice(0, MOST_LISTED).map(({ kind, start, end, text: found }) => (
          <li key={`${kind}/${start}/${end}`}>
            <Badge color="gray">{kindName(kind)}</Badge> <Code>{shorten(found)}</Code>{' '}
            <Text component="span" size="sm" c="dimmed">
              {strings.position(start, end)}
            </Text>
          </li>
        ))}
        {matches.length > MOST_LISTED && <li>{strings.more(matches.length - MOST_LISTED)}</li>}
      </ul>
    </>
  );
}

function kindName(kind: string): string {
  return (guardrailKinds as Record<string, { name: string }>)[kind]?.name ?? kind;
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
