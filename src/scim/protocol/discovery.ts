// What the service says of itself (RFC 7643, sections 5 to 7), from two tables: what it can do, and which attributes it
// keeps.
import { SCHEMA } from './schema-names.ts';
import { MOST_RESULTS } from './read-list-request.ts';

interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'reference';
  readonly about: string;
  readonly required?: true;
  readonly readOnly?: true;
  readonly several?: true;
  readonly unique?: true;
  readonly exact?: true;
  readonly parts?: readonly Attribute[];
}

const VALUE: Attribute = { name: 'value', type: 'string', about: 'The id.' };
const DISPLAY: Attribute = { name: 'display', type: 'string', about: 'The name.', readOnly: true };

const USER: readonly Attribute[] = [
  {
    name: 'userName',
    type: 'string',
    about: 'How the identity provider calls the person.',
    required: true,
    unique: true,
  },
  { name: 'externalId', type: 'string', about: "The identity provider's id.", exact: true },
  { name: 'displayName', type: 'string', about: 'The name of the person.' },
  {
    name: 'name',
    type: 'complex',
    about: 'The name in its parts.',
    parts: [
      { name: 'formatted', type: 'string', about: 'The whole name.' },
      { name: 'givenName', type: 'string', about: 'The given name.' },
      { name: 'familyName', type: 'string', about: 'The family name.' },
    ],
  },
  {
    name: 'emails',
    type: 'complex',
    several: true,
    about: 'One address is kept: the primary one, that of work, or the first.',
    parts: [
      { name: 'value', type: 'string', about: 'The address.' },
      { name: 'type', type: 'string', about: 'Always work.' },
      { name: 'primary', type: 'boolean', about: 'Always true.' },
    ],
  },
  { name: 'active', type: 'boolean', about: 'Whether the person has access.' },
  {
    name: 'groups',
    type: 'complex',
    several: true,
    readOnly: true,
    about: 'The groups that the person is in.',
    parts: [VALUE, DISPLAY],
  },
];

const GROUP: readonly Attribute[] = [
  { name: 'displayName', type: 'string', about: 'The name of the workspace.', required: true, unique: true },
  { name: 'externalId', type: 'string', about: "The identity provider's id.", exact: true },
  { name: 'members', type: 'complex', several: true, about: 'The members of the workspace.', parts: [VALUE, DISPLAY] },
];

const RESOURCES = {
  User: { endpoint: '/Users', schema: SCHEMA.user, about: 'A member of the organization', attributes: USER },
  Group: { endpoint: '/Groups', schema: SCHEMA.group, about: 'A named workspace', attributes: GROUP },
} as const;

type Described = Readonly<Record<string, unknown>>;

export function describeServiceProvider(base: string): Described {
  return {
    schemas: [SCHEMA.serviceProvider],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MOST_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token that an owner of the organization makes in its settings.',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

export function describeResourceTypes(base: string): Described[] {
  return Object.entries(RESOURCES).map(([name, { endpoint, schema, about }]) => ({
    schemas: [SCHEMA.resourceType],
    id: name,
    name,
    endpoint,
    description: about,
    schema,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }));
}

export function describeSchemas(base: string): Described[] {
  return Object.entries(RESOURCES).map(([name, { schema, about, attributes }]) => ({
    schemas: [SCHEMA.schema],
    id: schema,
    name,
    description: about,
    attributes: attributes.map(describeAttribute),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema}` },
  }));
}

function describeAttribute(attribute: Attribute): Described {
  return {
    name: attribute.name,
    type: attribute.type,
    multiValued: attribute.several ?? false,
    description: attribute.about,
    required: attribute.required ?? false,
    caseExact: attribute.exact ?? false,
    mutability: attribute.readOnly ? 'readOnly' : 'readWrite',
    returned: 'default',
    uniqueness: attribute.unique ? 'server' : 'none',
    ...(attribute.parts ? { subAttributes: attribute.parts.map(describeAttribute) } : {}),
  };
}
