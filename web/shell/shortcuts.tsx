import { type NavigateOptions, useMatchRoute, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useKeys } from '../kit/keys/use-keys.ts';
import { onDemand } from '../kit/on-demand.tsx';
import { useCurrentWorkspace } from '../session/organization-context.ts';
import { togglePalette } from './palette-on-demand.tsx';

const KeysDialog = onDemand(async () => (await import('./keys-dialog.tsx')).KeysDialog);

interface ShortcutsProps {
  opened: boolean;
  onOpen: () => void;
  onClose: () => void;
  onFold: () => void;
}

/** The keys that work on every page, and the list of all keys. */
export function Shortcuts({ opened, onOpen, onClose, onFold }: ShortcutsProps): ReactElement | null {
  const navigate = useNavigate();
  const { current } = useCurrentWorkspace();
  const go = (target: NavigateOptions) => (): void => void navigate(target);
  // In a chat the page itself starts a new one: it has something to leave.
  const inChat = useMatchRoute()({ to: '/chat', fuzzy: true }) !== false;
  useKeys({
    palette: () => void togglePalette(),
    help: onOpen,
    foldNavigation: onFold,
    newChat: inChat ? undefined : go({ to: '/chat', state: { keepFocus: true } }),
    chat: go({ to: '/chat' }),
    runs: go({ to: '/runs' }),
    receipts: go({ to: '/receipts' }),
    integrations: go({ to: '/integrations' }),
    workspaces: go({ to: '/workspaces' }),
    members: go({ to: '/organization/settings/members' }),
    gateway: current && go({ to: '/workspaces/$slug/mcp-gateway', params: { slug: current.slug } }),
  });
  return opened ? <KeysDialog onClose={onClose} /> : null;
}
