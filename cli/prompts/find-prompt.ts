// Saved prompts by name, for `servicectl prompts` and for `/name` in a chat.
import type { Prompt } from '../../src/contract/prompts.ts';
import { fillPrompt, findVariables } from '../../src/contract/prompt-template.ts';
import type { Account } from '../account.ts';
import { Failure, usage } from '../failure.ts';
import { organizationOf } from '../organization-of.ts';

/** The person's own comes before a shared one of the same name. An ID names exactly one. */
export async function findPrompt(account: Account, name: string): Promise<Prompt> {
  const [{ webClient }, { listAll }] = await Promise.all([import('../api/typed-clients.ts'), import('../list-all.ts')]);
  const { prompts } = webClient(account);
  const organization = organizationOf(account);
  const isId = name.startsWith('prm_');
  const rows = await listAll(
    (cursor) => prompts.list({ organization, limit: 200, ...(isId ? {} : { search: name }), ...cursor }),
    (page) => page.prompts,
  );
  const same = rows.filter((row) => (isId ? row.id : row.name) === name);
  const found = same.find(({ workspace }) => workspace === undefined) ?? same[0];
  if (found) return found;
  throw new Failure(`there is no prompt named ${name}`, { error: 'not_found', next: 'Run: servicectl prompts' });
}

export interface Called {
  readonly name: string;
  /** What was typed after the name. */
  readonly rest: string;
}

/** A question that starts with the name of a prompt. A path, such as `/etc/hosts`, does not. */
export function readCall(question: string): Called | undefined {
  const [, name, rest = ''] = /^\/([a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?)(?:\s+([^]*))?$/.exec(question.trim()) ?? [];
  return name === undefined ? undefined : { name, rest };
}

/** `name=value`, as given several times. */
export function readValues(given: readonly string[], flag = '--var'): Record<string, string> {
  return Object.fromEntries(
    given.map((each) => {
      const at = each.indexOf('=');
      if (at < 1) throw usage(`${flag} takes name=value`, `For example: ${flag} language=German`);
      return [each.slice(0, at).trim(), each.slice(at + 1)];
    }),
  );
}

/** The filled text, then what was typed after the name. `ask` is called for each variable without a value. */
export async function fillCalled(
  { text }: Prompt,
  rest: string,
  values: Readonly<Record<string, string>>,
  ask: ((name: string, byDefault: string | undefined) => Promise<string>) | undefined,
): Promise<string> {
  const variables = findVariables(text);
  const unknown = Object.keys(values).filter((name) => !variables.some((each) => each.name === name));
  if (unknown.length > 0) throw usage(`the prompt has no variable ${unknown.join(', ')}`);
  const missing = variables.filter(({ name, byDefault }) => !(name in values) && (ask || byDefault === undefined));
  if (!ask && missing.length > 0)
    throw usage(
      `the prompt needs a value for ${missing.map(({ name }) => name).join(', ')}`,
      `For example: --var ${JSON.stringify(`${missing[0]?.name ?? ''}=…`)}`,
    );
  const filled: Record<string, string> = { ...values };
  for (const { name, byDefault } of missing) filled[name] = (await ask?.(name, byDefault)) ?? '';
  return [fillPrompt(text, filled), rest].filter((part) => part.trim() !== '').join('\n\n');
}
