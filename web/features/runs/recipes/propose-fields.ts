// What a run's objective might have as fields: parts that are likely to differ the next time. Only proposed: a person
// picks the ones to fill in.
const FIELD_KINDS = ['link', 'email', 'repository', 'date', 'number', 'quote'] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

export interface ProposedField {
  readonly kind: FieldKind;
  /** As it stands in the objective. */
  readonly text: string;
}

/** In this order: what a pattern has found is not looked at by those after it. */
const PATTERNS: Readonly<Record<FieldKind, RegExp>> = {
  link: /https?:\/\/[^\s<>"'(){}]+[^\s<>"'(){}.,;:!?]/g,
  email: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
  repository: /(?<![\w./@-])[a-z0-9][\w-]*\/[\w.-]*\w(?![\w/])/gi,
  date: /(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])/g,
  number: /(?<=[\s(]|^)#\d+\b/g,
  quote: /(?<=[“"„])[^“”"„{}\n]{2,100}(?=[”"“])/g,
};
const MOST = 8;
const LONGEST = 200;

export function proposeFields(objective: string): readonly ProposedField[] {
  const found = new Map<string, FieldKind>();
  let rest = objective;
  for (const kind of FIELD_KINDS) {
    for (const [text] of rest.matchAll(PATTERNS[kind]))
      if (text.length <= LONGEST && !found.has(text)) found.set(text, kind);
    rest = rest.replaceAll(PATTERNS[kind], (text) => ' '.repeat(text.length));
  }
  return [...found]
    .map(([text, kind]) => ({ kind, text }))
    .toSorted((a, b) => objective.indexOf(a.text) - objective.indexOf(b.text))
    .slice(0, MOST);
}

/** The objective with a field in place of the text, wherever it stands; the text becomes the default. */
export function putField(objective: string, text: string, name: string): string {
  return objective.replaceAll(text, () => `{{${name}:${text}}}`);
}

/** A name that is not taken yet. */
export function nameField(name: string, taken: readonly string[]): string {
  for (let count = 1; ; count++) {
    const proposed = count === 1 ? name : `${name} ${count}`;
    if (!taken.includes(proposed)) return proposed;
  }
}
