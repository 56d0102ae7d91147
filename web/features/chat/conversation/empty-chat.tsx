import { SimpleGrid, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import type { ReactElement } from 'react';
import { Mark } from '../../../kit/look/mark.tsx';
import { useSignedIn } from '../../../session/organization-context.ts';
import { chatStrings as strings } from '../strings.ts';
import { onDemand } from '../../../kit/on-demand.tsx';

const FirstSteps = onDemand(async () => (await import('./first-steps.tsx')).FirstSteps);

/** The start of a chat. A suggestion fills the prompt, where it can be edited. */
export function EmptyChat({
  demo,
  hasKey,
  onSuggest,
}: {
  demo: boolean;
  hasKey: boolean;
  onSuggest: (prompt: string) => void;
}): ReactElement {
  const { user } = useSignedIn();
  return (
    <Stack gap="xl" className="empty-chat">
      <Stack gap="xs" align="center" ta="center">
        <Mark size={44} />
        <Title order={2} fz="1.5rem" mt="xs">
          {strings.greeting(user.name.trim().split(/\s+/)[0] ?? '')}
        </Title>
        <Text c="dimmed">{demo ? strings.demoText : strings.greetingText}</Text>
      </Stack>
      <SimpleGrid
        cols={{ base: 1, xs: 2 }}
        spacing="sm"
        component="ul"
        className="suggestions"
        aria-label={strings.suggestionsTitle}
      >
        {strings.suggestions.map(({ title, prompt }) => (
          <li key={title}>
            <UnstyledButton className="suggestion" onClick={() => onSuggest(prompt)}>
              <Text component="span" display="block" size="sm" fw={600}>
                {title}
              </Text>
              <Text component="span" display="block" size="sm" c="dimmed">
                {prompt}
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </SimpleGrid>
      <FirstSteps demo={demo} hasKey={hasKey} />
    </Stack>
  );
}
