import { expect, it } from 'vitest';
import { splitHosts } from './postgres-hosts.ts';

it('leaves an address with one host, or that is none, as it is', () => {
  for (const url of ['postgresql://u:p@h:1/d?sslmode=require', 'postgres://h/d', 'mysql://a,b/d', ''])
    expect(splitHosts(url)).toEqual([url]);
});

it('makes one address for each host, with the same user, database and parameters', () => {
  expect(splitHosts('postgresql://u:p%40,q@one:5432,two,[::1]:5434/d?sslmode=require&x=a,b')).toEqual([
    'postgresql://u:p%40,q@one:5432/d?sslmode=require&x=a,b',
    'postgresql://u:p%40,q@two/d?sslmode=require&x=a,b',
    'postgresql://u:p%40,q@[::1]:5434/d?sslmode=require&x=a,b',
  ]);
});
