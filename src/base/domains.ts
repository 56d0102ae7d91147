// Domain names in configuration.

const DOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** Separated by commas, in lower case; undefined if one is not a domain name. */
export function parseDomains(text: string): readonly string[] | undefined {
  const domains = text
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return domains.length > 0 && domains.every((domain) => DOMAIN.test(domain)) ? domains : undefined;
}
