// Puts the secrets of an environment in the place of their placeholders, in the values of headers: as they are written,
// and within basic authentication, which encodes them.

export interface PlacedSecret {
  /** What the sandbox has instead. */
  readonly placeholder: string;
  readonly value: string;
}

export function fillHeader(secrets: readonly PlacedSecret[], value: string): string {
  const [, scheme = '', encoded = ''] = /^(basic +)([A-Za-z0-9+/_-]+={0,2})$/i.exec(value.trim()) ?? [];
  if (scheme === '') return fillText(secrets, value);
  const plain = Buffer.from(encoded, 'base64').toString('latin1');
  const filled = fillText(secrets, plain);
  return filled === plain ? value : `${scheme}${Buffer.from(filled, 'latin1').toString('base64')}`;
}

/** In one pass: what looks like a placeholder in a secret is none. */
function fillText(secrets: readonly PlacedSecret[], text: string): string {
  if (!secrets.some(({ placeholder }) => text.includes(placeholder))) return text;
  const values = new Map(secrets.map(({ placeholder, value }) => [placeholder, value]));
  // The longer one first: one name may begin with another.
  const names = [...values.keys()].sort((a, b) => b.length - a.length).map((name) => name.replaceAll(/\W/g, '\\$&'));
  return text.replaceAll(new RegExp(names.join('|'), 'g'), (name) => values.get(name) ?? name);
}
