import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { Message } from '../../../../src/contract/threads.ts';
import { toastFault } from '../../../kit/toasts.tsx';
import { formatSize } from '../../../language/format.ts';
import { readWhole } from '../chat-client.ts';
import { threadQuery } from '../queries.ts';
import { chatStrings as strings } from '../strings.ts';
import { putMessage, type ThreadPages } from '../thread-pages.ts';

/** In place of what is done with the text of a message, while only its beginning is here. */
export function ShowWhole({ bytes, load }: { bytes: number; load: () => Promise<void> }): ReactElement {
  const [loading, setLoading] = useState(false);
  const show = async (): Promise<void> => {
    setLoading(true);
    await load().catch(toastFault);
    setLoading(false);
  };
  return (
    <>
      <Text size="xs" c="dimmed" fs="italic">
        {strings.beginning}
      </Text>
      <Button variant="subtle" size="compact-xs" loading={loading} onClick={() => void show()}>
        {`${strings.showAll} (${formatSize(bytes)})`}
      </Button>
    </>
  );
}

/** The same for a message of a thread, whose pages then have it. Nothing if the message is whole. */
export function ShowWholeMessage({
  thread,
  message,
}: {
  thread: string | undefined;
  message: Message;
}): ReactElement | null {
  const queryClient = useQueryClient();
  const { wholeBytes, versions } = message;
  if (thread === undefined || wholeBytes === undefined) return null;
  const load = async (): Promise<void> => {
    const whole = await readWhole<Message>(`/api/threads/${encodeURIComponent(thread)}`, message.id);
    queryClient.setQueryData<ThreadPages>(
      threadQuery(thread).queryKey,
      (data) => data && putMessage(data, versions === undefined ? whole : { ...whole, versions }),
    );
  };
  return <ShowWhole bytes={wholeBytes} load={load} />;
}
