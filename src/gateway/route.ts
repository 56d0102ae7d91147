// Decides which service a request target belongs to and what path the upstream gets. Pure.
import { canonicalPath } from './canonical-path.ts';
import type { Service } from './service-graph.ts';

export type Route =
  | { readonly kind: 'service'; readonly service: Service; readonly path: string }
  | { readonly kind: 'private' }
  | { readonly kind: 'malformed' };

/** `opensPage` tells whether a browser navigates to a page; it is called only where that matters. */
export type Router = (target: string, mayReachPrivate: boolean, opensPage?: () => boolean) => Route;

export function createRouter(graph: readonly Service[]): Router {
  const services = [...graph].sort((a, b) => b.prefix.length - a.prefix.length);
  const root = services.at(-1);
  if (root?.prefix !== '/') throw new Error('the service graph has no service at /');

  const match = (path: string): Service =>
    services.find((service) => service !== root && isUnder(path, service.prefix)) ?? root;

  return (target, mayReachPrivate, opensPage) => {
    const queryAt = target.indexOf('?');
    const spelled = queryAt < 0 ? target : target.slice(0, queryAt);
    const canonical = canonicalPath(spelled);
    if (canonical === undefined) return { kind: 'malformed' };
    const service = match(spelled);
    const meant = canonical === spelled ? service : match(canonical);
    if ((service.private || meant.private) && !mayReachPrivate) return { kind: 'private' };
    // Two interpretations lead to two services: an upstream might use the other one.
    if (service !== meant) return { kind: 'malformed' };
    if (service.isPage && spelled === service.prefix && opensPage?.())
      return { kind: 'service', service: root, path: target };
    return { kind: 'service', service, path: withoutPrefix(target, service.strip) };
  };
}

function isUnder(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path.charCodeAt(prefix.length) === 47);
}

function withoutPrefix(target: string, strip: string): string {
  if (strip === '') return target;
  const rest = target.slice(strip.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
