// Placeholder pages for features that do not exist yet. They say so and have no controls.
import { Card, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { PageHeader } from '../../kit/page-header.tsx';
import { placeholderStrings as strings } from './strings.ts';

export function DomainsPage(): ReactElement {
  return <Placeholder {...strings.domains} />;
}

export function SingleSignOnPage(): ReactElement {
  return <Placeholder {...strings.sso} />;
}

export function DirectoryPage(): ReactElement {
  return <Placeholder {...strings.directory} />;
}

function Placeholder({ title, text }: { title: string; text: string }): ReactElement {
  return (
    <>
      <PageHeader title={title} />
      <Card>
        <Text>{text}</Text>
      </Card>
    </>
  );
}
