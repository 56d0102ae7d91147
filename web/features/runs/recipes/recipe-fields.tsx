// What a recipe asks for, as fields of a form. A value is kept by the place of its field: a name may be anything that a
// form would read as a path.
import { Textarea } from '@mantine/core';
import type { ReactElement } from 'react';
import { findFieldFaults, RECIPE_LIMITS } from '../../../../src/contract/recipes/fill-recipe.ts';
import type { Recipe } from '../../../../src/contract/recipes/recipes.ts';
import { formatNumber } from '../../../language/format.ts';
import { recipeStrings as strings } from './strings.ts';

type Fields = Recipe['fields'];
export type FieldValues = Record<string, string>;

const keyOf = (index: number): string => `field${index}`;

export function initialFields(fields: Fields): FieldValues {
  return Object.fromEntries(fields.map((field, index) => [keyOf(index), field.default ?? '']));
}

/** By the names of the fields. */
export function namedFields(fields: Fields, values: FieldValues): FieldValues {
  return Object.fromEntries(fields.map(({ name }, index) => [name, values[keyOf(index)] ?? '']));
}

export function faultsOfFields(fields: Fields, values: FieldValues): FieldValues {
  const known = fields.map((field) => ({ name: field.name, byDefault: field.default }));
  const faults = findFieldFaults(known, namedFields(fields, values));
  const text = (name: string): string =>
    faults.get(name) === 'missing'
      ? strings.fieldMissing(name)
      : strings.fieldTooLong(formatNumber(RECIPE_LIMITS.value));
  return Object.fromEntries(
    fields.flatMap(({ name }, index) => (faults.has(name) ? [[keyOf(index), text(name)]] : [])),
  );
}

interface RecipeFieldsProps {
  fields: Fields;
  field: (key: string) => object;
}

export function RecipeFields({ fields, field }: RecipeFieldsProps): ReactElement {
  return (
    <>
      {fields.map(({ name, default: byDefault }, index) => (
        <Textarea
          key={name}
          {...(index === 0 ? { 'data-autofocus': true } : {})}
          label={name}
          required={byDefault === undefined}
          rows={1}
          autosize
          maxRows={8}
          maxLength={RECIPE_LIMITS.value}
          {...field(keyOf(index))}
        />
      ))}
    </>
  );
}
