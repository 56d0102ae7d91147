import { isObject, type Loose, type Rule } from './loose-json.ts';
import { MANIFEST_RULES } from './manifest-rules.ts';
import { TOOL_RULES } from './tool-rules.ts';

/** Rules about several manifests, or about files that are not manifests. */
export const FILE_RULES = {
  json: 'a manifest is one JSON object',
  'unique-id': 'an id belongs to one file',
} as const;

export type RuleName = keyof typeof MANIFEST_RULES | keyof typeof TOOL_RULES | keyof typeof FILE_RULES;

export interface Fault {
  readonly file: string;
  readonly rule: RuleName;
  readonly message: string;
}

/** Every fault of one manifest. A breach of one rule does not stop the others. */
export function checkManifest(file: string, manifest: Loose): Fault[] {
  const connector = String(manifest['id']);
  const tools: unknown[] = Array.isArray(manifest['tools']) ? manifest['tools'] : [];
  return [
    ...applyRules(MANIFEST_RULES, { file, manifest }, file, ''),
    ...tools.flatMap((tool, at) =>
      isObject(tool)
        ? applyRules(
            TOOL_RULES,
            { connector, tool },
            file,
            `tool ${typeof tool['name'] === 'string' ? tool['name'] : at}: `,
          )
        : [],
    ),
  ];
}

function applyRules<Name extends RuleName, Subject>(
  rules: Record<Name, Rule<Subject>>,
  subject: Subject,
  file: string,
  prefix: string,
): Fault[] {
  return (Object.keys(rules) as Name[]).flatMap((rule) =>
    rules[rule].find(subject).map((message) => ({ file, rule, message: `${prefix}${message}` })),
  );
}

export function describeRule(rule: RuleName): string {
  const sentences: Record<string, string | Rule<never>> = { ...MANIFEST_RULES, ...TOOL_RULES, ...FILE_RULES };
  const row = sentences[rule];
  return typeof row === 'string' ? row : (row?.says ?? rule);
}
