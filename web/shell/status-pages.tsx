// Pages for an unknown address, a failed page and a slow one.
import { Button, Loader, Stack, Text, Title } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { isFault, readFault } from '../api/fault.ts';
import { ButtonLink } from '../kit/links.tsx';
import { PageHeader } from '../kit/page-header.tsx';
import { common } from '../kit/strings.ts';
import { shell } from './strings.ts';

export function NotFoundPage(): ReactElement {
  return (
    <StopPage title={shell.notFound.title} text={shell.notFound.text}>
      <ButtonLink to="/chat">{shell.notFound.action}</ButtonLink>
    </StopPage>
  );
}

/** The same inside the app. */
export function NowherePage(): ReactElement {
  return (
    <>
      <PageHeader title={shell.notFound.title} description={shell.notFound.text} />
      <ButtonLink to="/chat" variant="default">
        {shell.notFound.action}
      </ButtonLink>
    </>
  );
}

/** A failed call is shown with its reason; anything else is an error of the page. */
export function CrashedPage({ error }: ErrorComponentProps): ReactElement {
  const called = isFault(error);
  return (
    <StopPage
      title={called ? shell.serverDown.title : shell.crashed.title}
      text={called ? readFault(error).text : shell.crashed.text}
    >
      <Button onClick={() => window.location.reload()}>{shell.crashed.action}</Button>
    </StopPage>
  );
}

export function PendingPage(): ReactElement {
  return (
    <output className="stop" aria-label={common.loading}>
      <Loader type="dots" />
    </output>
  );
}

export function StopPage({
  title,
  text,
  children,
}: {
  title: string;
  text: string;
  children: ReactNode;
}): ReactElement {
  return (
    <main className="stop" id="content">
      <title>{common.pageTitle(title)}</title>
      <Stack align="center" gap="md" maw="30rem" ta="center">
        <Title order={1} tabIndex={-1}>
          {title}
        </Title>
        <Text c="dimmed">{text}</Text>
        {children}
      </Stack>
    </main>
  );
}
