import { Badge, Button, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { faultText } from '../../api/fault.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { MoreRows, Row, Rows } from '../../kit/rows.tsx';
import { toastDone, toastFault } from '../../kit/toasts.tsx';
import { formatDate, formatSize } from '../../language/format.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { standingStrings } from '../runs/standing/strings.ts';
import { deliveriesQuery, type DeliveryView, replayDelivery, triggerKeys } from './queries.ts';
import { deliveryOutcomeNames, triggerStrings as strings } from './strings.ts';

const COLORS = { received: 'gray', started: 'pine', refused: 'red', filter: 'gray', paused: 'gray' } as const;

interface DeliveryListProps {
  id: string;
  /** Only its maker starts runs of it. */
  mayReplay: boolean;
}

export function DeliveryList({ id, mayReplay }: DeliveryListProps): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const query = useInfiniteQuery(deliveriesQuery(organization.id, id));
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const replay = useMutation({
    mutationFn: (delivery: string) => replayDelivery(organization.id, id, delivery),
    onSuccess: async () => {
      toastDone(strings.replayed);
      await queryClient.invalidateQueries({ queryKey: triggerKeys.one(id) });
    },
    onError: toastFault,
  });
  return (
    <ListState
      query={query}
      isEmpty={deliveries.length === 0}
      failed={strings.historyFailed}
      empty={{ icon: 'run', title: strings.noHistory, text: strings.noHistoryText }}
    >
      <Rows label={strings.historyText}>
        {deliveries.map((delivery) => (
          <DeliveryRow
            key={delivery.id}
            delivery={delivery}
            {...(mayReplay && delivery.kept
              ? {
                  replay: () => replay.mutate(delivery.id),
                  pending: replay.isPending && replay.variables === delivery.id,
                }
              : {})}
          />
        ))}
      </Rows>
      <MoreRows query={query} />
    </ListState>
  );
}

interface DeliveryRowProps {
  delivery: DeliveryView;
  replay?: () => void;
  pending?: boolean;
}

function DeliveryRow({ delivery, replay, pending = false }: DeliveryRowProps): ReactElement {
  const { at, outcome, job, code, event, replayOf, bytes, kept } = delivery;
  const when = formatDate(at, 'second');
  const about = [
    event,
    formatSize(bytes),
    ...(replayOf === undefined ? [] : [strings.isReplay]),
    ...(kept ? [] : [strings.notKept]),
    ...(code === undefined ? [] : [faultText(code, code)]),
  ];
  return (
    <Row
      title={<time dateTime={at}>{when}</time>}
      text={<bdi>{about.filter((part) => part !== undefined).join(' · ')}</bdi>}
      aside={
        <>
          <Badge variant="light" color={COLORS[outcome]}>
            {deliveryOutcomeNames[outcome]}
          </Badge>
          {job !== undefined && (
            <AnchorLink to="/runs/$run" params={{ run: job }} size="sm">
              {standingStrings.openRun}
            </AnchorLink>
          )}
          {replay !== undefined && (
            <Button variant="default" size="xs" loading={pending} onClick={replay}>
              {strings.replay}
              <VisuallyHidden> {when}</VisuallyHidden>
            </Button>
          )}
        </>
      }
    />
  );
}
