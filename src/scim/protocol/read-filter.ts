// Filters: comparisons with `eq`, joined by `and`. That is what Okta and Entra ID send; anything else is refused.
import { ScimError } from '../scim-error.ts';
import { takePath } from './attribute-path.ts';
import { scanExpression } from './scan-expression.ts';

export interface Condition<Name extends string> {
  readonly name: Name;
  readonly value: string | boolean;
}

const MOST_CONDITIONS = 8;

/** `known` has the names that may be compared, in lower case, and what type their values have. */
export function readFilter<Name extends string>(
  text: string,
  known: Readonly<Record<Name, 'string' | 'boolean'>>,
): Condition<Name>[] {
  const tokens = scanExpression(text, 'invalidFilter');
  const conditions: Condition<Name>[] = [];
  for (let at = 0; ;) {
    const { path, next } = takePath(tokens, at, 'invalidFilter');
    const [operator, value, joint] = tokens.slice(next, next + 3);
    if (operator?.kind !== 'word' || operator.text.toLowerCase() !== 'eq' || value?.kind !== 'value')
      throw new ScimError('invalidFilter', 'Only comparisons with eq are understood, such as userName eq "x".');
    const name = path && (path.sub === undefined ? path.attribute : `${path.attribute}.${path.sub}`);
    // A kind of address is not told apart: there is one.
    const narrowed = path?.where && (path.where.attribute !== 'type' || path.where.value !== 'work');
    if (name === undefined || !isKnown(known, name) || narrowed || typeof value.value !== known[name])
      throw new ScimError('invalidFilter', `Can be filtered by: ${Object.keys(known).join(', ')}.`);
    conditions.push({ name, value: value.value as string | boolean });
    if (joint === undefined) return conditions;
    if (joint.kind !== 'word' || joint.text.toLowerCase() !== 'and')
      throw new ScimError('invalidFilter', 'Comparisons can only be joined by and.');
    if (conditions.length === MOST_CONDITIONS)
      throw new ScimError('invalidFilter', `More than ${MOST_CONDITIONS} comparisons.`);
    at = next + 3;
  }
}

function isKnown<Name extends string>(known: Readonly<Record<Name, unknown>>, name: string): name is Name {
  return Object.hasOwn(known, name);
}
