import { Button, Text, Title, VisuallyHidden } from '@mantine/core';
import { type ReactElement, type ReactNode, useContext } from 'react';
import type { Project } from '../../../src/contract/projects.ts';
import type { Message, MessageMetadata, Thread } from '../../../src/contract/threads.ts';
import { HeadStart } from '../../kit/head-start.ts';
import { chatImportStrings } from '../imports/strings.ts';
import { ProjectName } from '../projects/project-start.tsx';
import { answerStrings, chatStrings as strings, threadStrings } from './strings.ts';

interface ChatHeadProps {
  title: string;
  /** The name of the workspace it is in. */
  workspace: string | undefined;
  /** The project it is in. */
  project: Project | undefined;
  /** Who paid for the latest answer. */
  credential: MessageMetadata['credential'];
  importedFrom: Thread['importedFrom'];
  onList: () => void;
  /** The menu of the chat, if it is stored. */
  actions: ReactNode;
}

export function ChatHead(props: ChatHeadProps): ReactElement {
  const { title, workspace, project, credential, importedFrom, onList, actions } = props;
  return (
    <div className="chat-head">
      {useContext(HeadStart)}
      <Button className="chat-open-list" variant="default" size="compact-md" onClick={onList}>
        {threadStrings.open}
      </Button>
      <Title order={1} dir="auto" tabIndex={-1} className="chat-title" title={title}>
        {title}
      </Title>
      {project !== undefined && <ProjectName project={project} />}
      {actions}
      {workspace !== undefined && (
        <Text component="span" size="sm" c="dimmed" className="chat-where" title={workspace}>
          <VisuallyHidden>{strings.inWorkspace} </VisuallyHidden>
          <bdi>{workspace}</bdi>
          {importedFrom !== undefined && ` · ${chatImportStrings.from(chatImportStrings.sources[importedFrom])}`}
          {credential !== undefined && <span className="chat-payer"> · {answerStrings.credentials[credential]}</span>}
        </Text>
      )}
    </div>
  );
}

/** From the streaming answer, otherwise from the last answer that has it. */
export function latestCredential(
  live: MessageMetadata | undefined,
  messages: readonly Message[],
): MessageMetadata['credential'] {
  return (
    live?.credential ?? messages.findLast(({ metadata }) => metadata.credential !== undefined)?.metadata.credential
  );
}
