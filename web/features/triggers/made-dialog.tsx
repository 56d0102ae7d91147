import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactElement } from 'react';
import { CopyField } from '../../kit/copy-field.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Icon } from '../../kit/look/icons.tsx';
import type { MadeTrigger } from './queries.ts';
import { triggerSourceSteps, triggerStrings as strings } from './strings.ts';

/** Where the address and the secret go. The secret is in this dialog only, and goes with it. */
export function MadeDialog({ made, onClose }: { made: MadeTrigger; onClose: () => void }): ReactElement {
  const { trigger, url, secret } = made;
  return (
    <Dialog onClose={onClose} title={strings.madeTitle} size="lg">
      <Stack>
        <Text size="sm">{triggerSourceSteps[trigger.source]}</Text>
        <CopyField label={strings.address} value={url} />
        {secret !== undefined && <CopyField label={strings.secret} description={strings.madeText} value={secret} />}
        {!trigger.hasSecret && (
          <Alert color="yellow" icon={<Icon name="alert" />} title={strings.noSecretTitle}>
            {strings.noSecretText}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button data-autofocus onClick={onClose}>
            {strings.close}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
