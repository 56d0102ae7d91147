import {
  Alert,
  Badge,
  Button,
  Card,
  Checkbox,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
  Title,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, type SubmitEvent, useRef, useState } from 'react';
import type { ConnectionTool } from '../../integrations/queries.ts';
import type { WorkspaceNames } from '../../../api/workspace-names.ts';
import { readFault } from '../../../api/fault.ts';
import { Icon } from '../../../kit/look/icons.tsx';
import { FormProblem } from '../../../kit/form-problem.tsx';
import { accessNames, connectionStrings } from '../../integrations/connection-strings.ts';
import { tryStrings as strings } from './strings.ts';
import { callTool } from './call-tool.ts';
import { type ArgumentsDraft, readArguments, toArguments, toDraft } from './draft-arguments.ts';
import { toFieldFaults } from './explain-refusal.ts';
import { readSchema } from './read-schema.ts';
import { SchemaFields } from './schema-fields.tsx';
import { ToolResult } from './tool-result.tsx';

interface TryToolProps {
  place: WorkspaceNames;
  connection: string;
  /** The name of the app. */
  app: string;
  tools: readonly ConnectionTool[];
  /** The tool in the address; by default the first enabled one. */
  picked: string | undefined;
  onPick: (tool: string) => void;
}

export function TryTool({ place, connection, app, tools, picked, onPick }: TryToolProps): ReactElement | null {
  const tool = tools.find(({ name }) => name === picked) ?? tools.find(({ enabled }) => enabled) ?? tools[0];
  if (tool === undefined) return null;
  return (
    <Card component="section" aria-labelledby="try-tool">
      <Stack>
        <div>
          <Title order={2} id="try-tool">
            {connectionStrings.try}
          </Title>
          <Text size="sm" c="dimmed">
            {connectionStrings.tryText}
          </Text>
        </div>
        <Select
          label={strings.tool}
          data={tools.map(({ name }) => name)}
          value={tool.name}
          searchable={tools.length > 8}
          onChange={(value) => value !== null && onPick(value)}
        />
        <ToolForm key={tool.name} place={place} connection={connection} app={app} tool={tool} />
      </Stack>
    </Card>
  );
}

type Mode = keyof typeof strings.modes;

interface ToolFormProps extends Pick<TryToolProps, 'place' | 'connection' | 'app'> {
  tool: ConnectionTool;
}

function ToolForm({ place, connection, app, tool }: ToolFormProps): ReactElement {
  const [mayWrite, setMayWrite] = useState(false);
  const given = useArguments(tool.inputSchema);
  const { call, stop } = useToolCall({
    place,
    connection,
    tool: tool.name,
    access: mayWrite ? 'write' : 'read',
    onFaults: given.setFaults,
  });
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (call.isPending) return;
    const value = given.read();
    if (value !== undefined) call.mutate(value);
  };
  const isStopped = call.error instanceof DOMException && call.error.name === 'AbortError';
  return (
    <form onSubmit={submit} noValidate autoComplete="off">
      <Stack>
        <Text size="sm">
          <Badge color={tool.access === 'write' ? 'yellow' : 'gray'} me={8}>
            {accessNames[tool.access]}
          </Badge>
          {tool.description}
        </Text>
        {!tool.enabled && (
          <Alert color="yellow" icon={<Icon name="alert" />} role="note">
            {strings.disabled}
          </Alert>
        )}
        <ArgumentFields given={given} />
        {tool.access === 'write' && (
          <Checkbox
            label={strings.allowWrite}
            description={strings.allowWriteText(app)}
            checked={mayWrite}
            onChange={(event) => setMayWrite(event.currentTarget.checked)}
          />
        )}
        <FormProblem text={call.error === null || isStopped ? undefined : readFault(call.error).text} />
        <Group gap="sm">
          <Button type="submit" loading={call.isPending}>
            {strings.call}
          </Button>
          {call.isPending && (
            <Button variant="default" onClick={stop}>
              {strings.cancel}
            </Button>
          )}
        </Group>
        {call.data !== undefined && <ToolResult outcome={call.data} />}
      </Stack>
    </form>
  );
}

type Faults = Readonly<Record<string, string>>;

interface ToolCall {
  place: WorkspaceNames;
  connection: string;
  tool: string;
  access: 'read' | 'write';
  onFaults: (faults: Faults) => void;
}

function useToolCall({ place, connection, tool, access, onFaults }: ToolCall) {
  const waiting = useRef<AbortController>(undefined);
  const call = useMutation({
    mutationFn: (given: Readonly<Record<string, unknown>>) => {
      waiting.current = new AbortController();
      return callTool(place, { connection, tool, arguments: given, access }, waiting.current.signal);
    },
    onSuccess: (outcome) => {
      if (outcome.kind === 'refused') onFaults(toFieldFaults(outcome.fields));
    },
  });
  return { call, stop: () => waiting.current?.abort() };
}

type Arguments = ReturnType<typeof useArguments>;

/** The arguments being edited, as a form or JSON; switching converts them. */
function useArguments(schema: unknown) {
  const fields = readSchema(schema);
  const [mode, setMode] = useState<Mode>('form');
  const [draft, setDraft] = useState<ArgumentsDraft>({});
  const [json, setJson] = useState('{}');
  const [faults, setFaults] = useState<Faults>({});
  const switchMode = (next: Mode): void => {
    setFaults({});
    if (next === 'json') {
      setJson(JSON.stringify(toArguments(fields, draft).value, undefined, 2));
      return setMode('json');
    }
    const given = readArguments(json);
    const back = given && toDraft(fields, given);
    if (back === undefined)
      return setFaults({ '': given === undefined ? strings.jsonInvalid : strings.formCannotShow });
    setDraft(back);
    setMode('form');
  };
  /** Undefined if they are invalid; the errors are then shown. */
  const read = (): Readonly<Record<string, unknown>> | undefined => {
    const taken = mode === 'form' ? toArguments(fields, draft) : readJsonArguments(json);
    setFaults(taken.faults);
    return Object.keys(taken.faults).length === 0 ? taken.value : undefined;
  };
  return { fields, mode, switchMode, draft, setDraft, json, setJson, faults, setFaults, read };
}

function ArgumentFields({ given }: { given: Arguments }): ReactElement {
  const { fields, mode, switchMode, draft, setDraft, json, setJson, faults } = given;
  return (
    <>
      <Group justify="space-between">
        <Title order={3}>{strings.arguments}</Title>
        <SegmentedControl
          size="xs"
          aria-label={strings.mode}
          data={(Object.keys(strings.modes) as Mode[]).map((value) => ({ value, label: strings.modes[value] }))}
          value={mode}
          onChange={(value) => switchMode(value)}
        />
      </Group>
      {mode === 'json' ? (
        <Textarea
          aria-label={strings.json}
          value={json}
          onChange={(event) => setJson(event.currentTarget.value)}
          error={faults['']}
          autosize
          minRows={5}
          maxRows={20}
          classNames={{ input: 'mono-input' }}
          spellCheck={false}
        />
      ) : fields.length === 0 ? (
        <Text size="sm" c="dimmed">
          {strings.noArguments}
        </Text>
      ) : (
        <SchemaFields
          fields={fields}
          draft={draft}
          faults={faults}
          onChange={(id, text) => setDraft((before) => ({ ...before, [id]: text }))}
        />
      )}
    </>
  );
}

function readJsonArguments(text: string): { value: Readonly<Record<string, unknown>>; faults: Faults } {
  const value = readArguments(text);
  return value === undefined ? { value: {}, faults: { '': strings.jsonInvalid } } : { value, faults: {} };
}
