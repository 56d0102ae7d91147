// SCIM 2.0: people and groups of an organization, kept by its identity provider.
import { z } from 'zod';
import { SCIM_PATH, SCIM_TYPE } from '../../scim/protocol/schema-names.ts';
import type { DescribedAnswer, DescribedRoute } from './described-route.ts';

const TAG = 'Provisioning';

const meta = z.object({
  resourceType: z.string(),
  created: z.string().optional(),
  lastModified: z.string().optional(),
  location: z.string(),
});
const reference = z.object({ value: z.string(), display: z.string().optional(), $ref: z.string().optional() });
const user = z
  .looseObject({
    schemas: z.array(z.string()),
    id: z.string(),
    externalId: z.string().optional(),
    userName: z.string().optional(),
    displayName: z.string().optional(),
    name: z
      .object({ formatted: z.string(), givenName: z.string().optional(), familyName: z.string().optional() })
      .optional(),
    emails: z.array(z.object({ value: z.string(), type: z.string(), primary: z.boolean() })).optional(),
    active: z.boolean().optional(),
    groups: z.array(reference).optional(),
    meta: meta.optional(),
  })
  .meta({ id: 'ScimUser' });
const group = z
  .looseObject({
    schemas: z.array(z.string()),
    id: z.string(),
    externalId: z.string().optional(),
    displayName: z.string().optional(),
    members: z.array(reference).optional(),
    meta: meta.optional(),
  })
  .meta({ id: 'ScimGroup' });
const described = z.looseObject({ schemas: z.array(z.string()), meta });
const listOf = (resource: z.ZodType): z.ZodType =>
  z.object({
    schemas: z.array(z.string()),
    totalResults: z.number().int(),
    startIndex: z.number().int(),
    itemsPerPage: z.number().int(),
    Resources: z.array(resource),
  });

const sentUser = z.looseObject({
  userName: z.string(),
  externalId: z.string().optional(),
  displayName: z.string().optional(),
  emails: z.array(z.looseObject({ value: z.string() })).optional(),
  active: z.boolean().optional(),
});
const sentGroup = z.looseObject({
  displayName: z.string(),
  externalId: z.string().optional(),
  members: z.array(z.looseObject({ value: z.string() })).optional(),
});
const patch = z.looseObject({
  Operations: z.array(z.looseObject({ op: z.string(), path: z.string().optional(), value: z.unknown().optional() })),
});

const attributes = { attributes: z.string().optional(), excludedAttributes: z.string().optional() };
const listed = z.object({
  filter: z.string().optional(),
  startIndex: z.number().int().optional(),
  count: z.number().int().optional(),
  ...attributes,
});

const answer = (text: string, schema: z.ZodType): DescribedAnswer => ({
  text,
  content: [{ type: SCIM_TYPE, schema }],
});
type Described = Omit<DescribedRoute, 'tag' | 'caller' | 'failure'>;
const route = ({ path, ...rest }: Described): DescribedRoute => ({
  ...rest,
  path: `${SCIM_PATH}${path}`,
  tag: TAG,
  caller: 'scimToken',
  failure: 'ScimError',
});

interface Kind {
  readonly path: string;
  readonly name: string;
  readonly schema: z.ZodType;
  readonly sent: z.ZodType;
  readonly filters: string;
  readonly removal: string;
  readonly patched: Readonly<Record<number, DescribedAnswer>>;
}

const kindRoutes = ({ path, name, schema, sent, filters, removal, patched }: Kind): DescribedRoute[] => [
  route({
    method: 'GET',
    path,
    summary: `List ${name}s`,
    description: `\`filter\` takes comparisons with \`eq\`, joined by \`and\`, on ${filters}.`,
    query: listed,
    answers: { 200: answer(`A page of ${name}s`, listOf(schema)) },
  }),
  route({
    method: 'POST',
    path,
    summary: `Create a ${name}`,
    body: { type: SCIM_TYPE, schema: sent },
    answers: { 201: { ...answer(`The ${name}`, schema), headers: { location: 'Its address.' } } },
  }),
  route({
    method: 'GET',
    path: `${path}/{id}`,
    summary: `Read a ${name}`,
    query: z.object(attributes),
    answers: { 200: answer(`The ${name}`, schema) },
  }),
  route({
    method: 'PUT',
    path: `${path}/{id}`,
    summary: `Replace a ${name}`,
    body: { type: SCIM_TYPE, schema: sent },
    answers: { 200: answer(`The ${name}`, schema) },
  }),
  route({
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: `Change a ${name} (RFC 7644, section 3.5.2)`,
    body: { type: SCIM_TYPE, schema: patch },
    answers: patched,
  }),
  route({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: `Delete a ${name}`,
    description: removal,
    answers: { 204: { text: 'Deleted' } },
  }),
];

const discovery = (path: string, summary: string, schema: z.ZodType): DescribedRoute =>
  route({ method: 'GET', path, summary, answers: { 200: answer('The description', schema) } });

export const SCIM_ROUTES: readonly DescribedRoute[] = [
  ...kindRoutes({
    path: '/Users',
    name: 'user',
    schema: user,
    sent: sentUser,
    filters: '`id`, `userName`, `externalId`, `displayName`, `emails.value` and `active`',
    removal:
      'Ends the membership. An account that the organization made is shut and, if it is in no other organization, erased after SERVICE_DELETION_DAYS; creating the user again brings it back until then.',
    patched: { 200: answer('The user', user) },
  }),
  ...kindRoutes({
    path: '/Groups',
    name: 'group',
    schema: group,
    sent: sentGroup,
    filters: '`id`, `externalId`, `displayName` and `members`',
    removal: 'Its plain members leave the workspace, which stays with everything in it.',
    patched: { 204: { text: 'Changed' } },
  }),
  discovery('/ServiceProviderConfig', 'What is supported', described),
  discovery('/ResourceTypes', 'The types of resources', listOf(described)),
  discovery('/ResourceTypes/{id}', 'A type of resource', described),
  discovery('/Schemas', 'The attributes that are kept', listOf(described)),
  discovery('/Schemas/{id}', 'The attributes of one type', described),
];
