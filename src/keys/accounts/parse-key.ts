import type { z } from 'zod';

/** A key that is a JSON document; undefined if it is not of this form. */
export function parseKey<Form extends z.ZodType>(form: Form, given: string): z.output<Form> | undefined {
  try {
    return form.safeParse(JSON.parse(given)).data;
  } catch {
    return undefined;
  }
}
