import { Badge, Code, Stack, Table, Text, Title } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import { referenceStrings as strings } from './strings.ts';
import { type ApiDocument, type Entry, listAnswers, listFields, type Schema } from './read-document.ts';

export function OperationDetails({ document, entry }: { document: ApiDocument; entry: Entry }): ReactElement {
  const { description, parameters = [], requestBody } = entry;
  const { own, refusals } = listAnswers(document, entry);
  return (
    <Stack gap="md">
      {description !== undefined && <Prose text={description} />}
      <Part title={strings.caller}>
        <Prose text={callerOf(document, entry)} />
      </Part>
      {parameters.length > 0 && (
        <Part title={strings.parameters}>
          <Rows head={[strings.field, strings.where, strings.type, strings.meaning]}>
            {parameters.map((parameter) => (
              <Table.Tr key={`${parameter.in} ${parameter.name}`}>
                <Name name={parameter.name} required={parameter.required ?? false} />
                <Table.Td>{parameter.in}</Table.Td>
                <Table.Td>{listFields(document, parameter.schema, parameter.name)[0]?.type}</Table.Td>
                <Table.Td>{parameter.description ?? parameter.schema?.description}</Table.Td>
              </Table.Tr>
            ))}
          </Rows>
        </Part>
      )}
      {requestBody !== undefined && (
        <Part title={strings.body}>
          <Contents document={document} content={requestBody.content} />
        </Part>
      )}
      {own.map(([status, { description: text = '', headers = {}, content = {} }]) => (
        <Part key={status} title={`${strings.answer} ${status === 'default' ? strings.otherwise : status}`}>
          {status === 'default' &&
            refusals.map((refusal) => <Prose key={refusal.status} text={`\`${refusal.status}\` ${refusal.text}`} />)}
          <Prose text={text} />
          {Object.entries(headers).map(([name, header]) => (
            <Text key={name} size="sm">
              <Code>{name}</Code> {withCode(header.description ?? '')}
            </Text>
          ))}
          <Contents document={document} content={content} />
        </Part>
      ))}
    </Stack>
  );
}

function Prose({ text }: { text: string }): ReactElement {
  return <Text size="sm">{withCode(text)}</Text>;
}

/** Renders text in backticks as code. */
function withCode(text: string): ReactNode[] {
  return text.split('`').map((piece, i) => (i % 2 === 1 ? <Code key={`${i} ${piece}`}>{piece}</Code> : piece));
}

function callerOf({ components }: ApiDocument, { security }: Entry): string {
  const schemes = security.flatMap((one) => Object.keys(one));
  return schemes.length === 0
    ? strings.anybody
    : schemes.map((scheme) => components.securitySchemes[scheme]?.description ?? scheme).join(' ');
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <Stack gap={6}>
      <Title order={4} fz="sm">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

function Contents({
  document,
  content,
}: {
  document: ApiDocument;
  content: Readonly<Record<string, { schema?: Schema }>>;
}): ReactElement {
  return (
    <>
      {Object.entries(content).map(([type, { schema }]) => (
        <Stack key={type} gap={6}>
          <Code style={{ alignSelf: 'flex-start' }}>{type}</Code>
          <Fields document={document} schema={schema} />
        </Stack>
      ))}
    </>
  );
}

function Fields({ document, schema }: { document: ApiDocument; schema: Schema | undefined }): ReactElement | null {
  const fields = listFields(document, schema);
  if (fields.length === 0) return null;
  return (
    <Rows head={[strings.field, strings.type, strings.meaning]}>
      {fields.map(({ name, type, required, note }) => (
        <Table.Tr key={`${name} ${type}`}>
          <Name name={name} required={required} />
          <Table.Td style={{ overflowWrap: 'anywhere' }}>{type}</Table.Td>
          <Table.Td>{note}</Table.Td>
        </Table.Tr>
      ))}
    </Rows>
  );
}

function Name({ name, required }: { name: string; required: boolean }): ReactElement {
  return (
    <Table.Th scope="row" fw={400}>
      <Code>{name}</Code>{' '}
      {required && (
        <Badge size="xs" color="gray">
          {strings.required}
        </Badge>
      )}
    </Table.Th>
  );
}

function Rows({ head, children }: { head: readonly string[]; children: ReactNode }): ReactElement {
  return (
    <Table.ScrollContainer minWidth={420} type="native">
      <Table fz="sm" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            {head.map((text) => (
              <Table.Th key={text}>{text}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
