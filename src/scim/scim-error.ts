/** A refusal in the terms of RFC 7644, section 3.12: the message is its detail, for the person who sets up provisioning. */
export class ScimError extends Error {
  override readonly name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(kind: ScimType | 403 | 404, detail: string) {
    super(detail);
    this.status = typeof kind === 'number' ? kind : SCIM_TYPES[kind];
    this.scimType = typeof kind === 'number' ? undefined : kind;
  }
}

const SCIM_TYPES = {
  invalidFilter: 400,
  invalidPath: 400,
  invalidSyntax: 400,
  invalidValue: 400,
  mutability: 400,
  noTarget: 400,
  uniqueness: 409,
} as const satisfies Record<string, number>;

export type ScimType = keyof typeof SCIM_TYPES;
