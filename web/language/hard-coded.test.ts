// Every word that people read is in a table of strings, so that it exists in every language: components hold none.
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** Attributes and properties of components that end up before people. */
const READ = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'description',
  'error',
  'heading',
  'hint',
  'label',
  'message',
  'nothingFoundMessage',
  'placeholder',
  'purpose',
  'submit',
  'summary',
  'text',
  'title',
]);

/** What may stand in a component, and why. */
const ALLOWED: readonly { readonly file: string; readonly text: string; readonly why: string }[] = [
  { file: '../features/settings/settings-layout.tsx', text: 'gray', why: 'a color, by an effect called placeholder' },
];

const components = import.meta.glob<string>(['../**/*.tsx', '!../**/*.test.tsx', '!../render-page.tsx'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The texts that stand in the source of a component itself. */
function findTexts(source: string): string[] {
  const file = ts.createSourceFile('component.tsx', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) found.push(node.text);
    else if (ts.isJsxAttribute(node) && READ.has(node.name.getText()) && node.initializer !== undefined)
      found.push(...literalsOf(node.initializer));
    else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent) && node.expression !== undefined)
      found.push(...literalsOf(node.expression));
    else if (ts.isPropertyAssignment(node) && READ.has(nameOf(node.name))) found.push(...literalsOf(node.initializer));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.map((text) => text.trim()).filter((text) => /\p{L}/u.test(text));
}

const nameOf = (name: ts.PropertyName): string => (ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '');

/** Literals that the value can be, also by a condition; what is handed to a function is not shown as it is. */
function literalsOf(node: ts.Node): string[] {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [
      node.head.text,
      ...node.templateSpans.flatMap(({ literal, expression }) => [literal.text, ...literalsOf(expression)]),
    ];
  if (ts.isConditionalExpression(node)) return [...literalsOf(node.whenTrue), ...literalsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.kind;
    const shown =
      operator === ts.SyntaxKind.PlusToken ||
      operator === ts.SyntaxKind.QuestionQuestionToken ||
      operator === ts.SyntaxKind.BarBarToken;
    return [...(shown ? literalsOf(node.left) : []), ...(isComparison(operator) ? [] : literalsOf(node.right))];
  }
  if (ts.isParenthesizedExpression(node) || (ts.isJsxExpression(node) && node.expression !== undefined))
    return node.expression === undefined ? [] : literalsOf(node.expression);
  return [];
}

const isComparison = (operator: ts.SyntaxKind): boolean =>
  [
    ts.SyntaxKind.EqualsEqualsEqualsToken,
    ts.SyntaxKind.ExclamationEqualsEqualsToken,
    ts.SyntaxKind.InKeyword,
    ts.SyntaxKind.LessThanToken,
    ts.SyntaxKind.GreaterThanToken,
  ].includes(operator);

describe('components', () => {
  it('are all looked at', () => {
    expect(Object.keys(components).length).toBeGreaterThan(100);
  });

  it.each(Object.entries(components))('%s has no words of its own', (path, source) => {
    const allowed = ALLOWED.filter(({ file }) => file === path).map(({ text }) => text);
    expect(findTexts(source).filter((text) => !allowed.includes(text))).toEqual([]);
  });

  it('need every exception', () => {
    for (const { file, text } of ALLOWED) expect(findTexts(components[file] ?? '')).toContain(text);
  });
});

it.each([
  ['<p>Hello</p>', ['Hello']],
  ['<p>{open ? "Open" : strings.closed}</p>', ['Open']],
  ['<p>{name ?? `nobody`}</p>', ['nobody']],
  ['<Button aria-label="Close" />', ['Close']],
  ['<Select label={`Role of ${name}`} />', ['Role of']],
  ['<Row title={isNew && "New"} />', ['New']],
  ['<List items={[{ label: "First" }]} />', ['First']],
  ['<p className="wide">{strings.hello} · {count} / {all}</p>', []],
  ['<p hidden={kind === "chat"}>{format(value, "moment")}</p>', []],
])('finds the words of %s', (source, texts) => {
  expect(findTexts(`const page = ${source};`)).toEqual(texts);
});
