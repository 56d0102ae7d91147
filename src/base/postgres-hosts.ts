const AUTHORITY = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/** `postgresql://user@one:5432,two:5432/name`, as PostgreSQL's own programs take it, as one URL for each host. */
export function splitHosts(url: string): [string, ...string[]] {
  const [, before = '', hosts = '', after = ''] = AUTHORITY.exec(url) ?? [];
  const [first = '', ...others] = hosts.split(',');
  if (others.length === 0) return [url];
  return [`${before}${first}${after}`, ...others.map((host) => `${before}${host}${after}`)];
}
