// The organization's routes: several models under one name, tried in order.
import { Button, Card, Checkbox, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import type { ListedModel } from '../../../src/contract/models.ts';
import type { ModelRouteOnWire } from '../../../src/contract/routes/model-routes.ts';
import {
  MOVE_ON_REASONS,
  type MoveOnReason,
  ROUTE_LIMITS,
  ROUTE_PREFIX,
} from '../../../src/contract/routes/route-rules.ts';
import { api, client } from '../../api/client.ts';
import { readFault } from '../../api/fault.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { FormProblem } from '../../kit/form-problem.tsx';
import { ListState } from '../../kit/list-state.tsx';
import { toastDone } from '../../kit/toasts.tsx';
import { useServerForm } from '../../kit/use-server-form.ts';
import { useSignedIn } from '../../session/organization-context.ts';
import { ModelOrder } from './model-order.tsx';
import { routesQuery } from './queries.ts';
import { routeStrings as strings } from './strings.ts';
import { testRoute } from './test-route.ts';

interface SectionProps {
  /** The chat models that a route may consist of. */
  models: readonly ListedModel[];
}

export function RoutesSection({ models }: SectionProps): ReactElement {
  const { organization } = useSignedIn();
  const query = useQuery(routesQuery(organization.id));
  const [adding, { open, close }] = useDisclosure(false);
  const routes = query.data ?? [];
  return (
    <section aria-labelledby="routes">
      <Title order={2} id="routes">
        {strings.title}
      </Title>
      <Text size="sm" c="dimmed" mt={4} mb="sm">
        {strings.text}
      </Text>
      <ListState
        query={query}
        isEmpty={routes.length === 0 && !adding}
        empty={{ icon: 'models', title: strings.empty, text: strings.emptyText }}
      >
        <Stack>
          {routes.map((route) => (
            <RouteCard key={`${route.name}/${route.updatedAt}`} route={route} models={models} onDone={close} />
          ))}
          {adding && <RouteCard route={undefined} models={models} onDone={close} />}
        </Stack>
      </ListState>
      {!adding && (
        <Button variant="default" mt="md" onClick={open}>
          {strings.add}
        </Button>
      )}
    </section>
  );
}

interface RouteCardProps extends SectionProps {
  route: ModelRouteOnWire | undefined;
  onDone: () => void;
}

const slugOf = (name: string): string => name.slice(ROUTE_PREFIX.length);

function useRouteForm({ route, onDone }: Pick<RouteCardProps, 'route' | 'onDone'>) {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const values: { slug: string; models: string[]; on: MoveOnReason[] } = {
    slug: slugOf(route?.name ?? ''),
    models: route?.models ?? [],
    on: route?.on ?? [...MOVE_ON_REASONS],
  };
  return useServerForm({
    initialValues: values,
    validate: {
      slug: (slug) => (slug.trim() === '' ? strings.slugRequired : null),
      models: (models) => (models.length === 0 ? strings.modelsRequired : null),
    },
    fieldOf: (field) => /^(?:slug|models)(?=\.|$)/.exec(field)?.[0],
    send: ({ slug, models, on }) => client.routes.put({ org: organization.id, slug: slug.trim(), models, on }),
    async onDone() {
      await queryClient.invalidateQueries({ queryKey: api.routes.key() });
      onDone();
      toastDone(strings.saved);
    },
  });
}

function RouteCard({ route, models, onDone }: RouteCardProps): ReactElement {
  const { form, submit, pending, problem } = useRouteForm({ route, onDone });
  const nameOf = (id: string): string => models.find((model) => model.id === id)?.name ?? id;
  const chosen = form.getValues().models;
  const left = models.filter(({ id }) => !chosen.includes(id)).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Card component="form" onSubmit={submit} noValidate aria-label={route?.name ?? strings.add}>
      <Stack>
        {route ? (
          <Title order={3}>{route.name}</Title>
        ) : (
          <TextInput
            label={strings.slug}
            description={strings.slugHint}
            autoComplete="off"
            {...form.getInputProps('slug')}
          />
        )}
        <ModelOrder models={chosen} nameOf={nameOf} onChange={(order) => form.setFieldValue('models', order)} />
        {chosen.length < ROUTE_LIMITS.models && (
          <Select
            label={strings.addModel}
            data={left}
            value={null}
            searchable
            error={form.errors['models']}
            onChange={(id) => void (id !== null && form.setFieldValue('models', [...chosen, id]))}
          />
        )}
        <Checkbox.Group label={strings.on} {...form.getInputProps('on')}>
          <Group mt="xs">
            {MOVE_ON_REASONS.map((reason) => (
              <Checkbox key={reason} value={reason} label={strings.reasons[reason]} />
            ))}
          </Group>
        </Checkbox.Group>
        <FormProblem text={problem} />
        <Group>
          <Button type="submit" loading={pending}>
            {strings.save}
          </Button>
          {route ? (
            <RouteActions name={route.name} nameOf={nameOf} />
          ) : (
            <Button variant="default" onClick={onDone}>
              {strings.cancel}
            </Button>
          )}
        </Group>
      </Stack>
    </Card>
  );
}

function RouteActions({ name, nameOf }: { name: string; nameOf: (id: string) => string }): ReactElement {
  const { organization } = useSignedIn();
  const queryClient = useQueryClient();
  const [removing, setRemoving] = useState(false);
  const test = useMutation({ mutationFn: () => testRoute(organization.id, name) });
  return (
    <>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        {strings.test}
      </Button>
      <Button variant="outline" color="red" onClick={() => setRemoving(true)}>
        {strings.remove}
      </Button>
      {test.data && (
        <Text component="output" size="sm" w="100%">
          {strings.answered(nameOf(test.data.served))}
          {test.data.tried.map(({ model, reason }) => (
            <Text key={model} component="span" display="block" size="sm" c="dimmed">
              {strings.didNotAnswer(nameOf(model), reason)}
            </Text>
          ))}
        </Text>
      )}
      {test.error && <FormProblem text={readFault(test.error).text} />}
      {removing && (
        <ConfirmDialog
          title={strings.removeTitle(name)}
          text={strings.removeText}
          confirm={strings.remove}
          act={() => client.routes.remove({ org: organization.id, slug: slugOf(name) })}
          onClose={() => setRemoving(false)}
          onDone={async () => {
            setRemoving(false);
            toastDone(strings.removed);
            await queryClient.invalidateQueries({ queryKey: api.routes.key() });
          }}
        />
      )}
    </>
  );
}
