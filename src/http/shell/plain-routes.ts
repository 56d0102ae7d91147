// Routes outside the contract. Mounting one requires its cost and a way to identify the sender: the sender is
// identified first, then passes the gate, and only then is the rest of the request read. Requests from this machine
// skip the gate: they are local, or come from a local proxy that is not configured as trusted and stands for all its
// visitors.
import type { Context, Env, Hono, Next } from 'hono';
import { callerNetwork, THIS_MACHINE } from '../../base/caller-network.ts';
import { noteRequest } from '../../base/request-scope.ts';
import type { RouteCost } from '../../contract/route-cost.ts';
import { clientAddress } from './client-address.ts';
import type { Gate } from './gate.ts';

/** Whom the gate counts: a person or, for a stranger, their network. */
export interface Sender {
  readonly userId: string;
}

export interface PlainRoute<Path extends string, Who extends Sender> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'ALL';
  readonly path: Path;
  readonly cost: RouteCost;
  /** Throws for anyone who may not call it. Undefined if the request is not for this route: the next match gets it. */
  readonly identify: (c: Context<Env, Path>) => Promise<Who | undefined> | Who | undefined;
  readonly handle: (c: Context<Env, Path>, who: Who) => Promise<Response> | Response;
  /** For routes with their own error shape. */
  readonly fail?: (error: unknown, c: Context) => Response;
}

export interface PlainRoutes {
  on<Path extends string, Who extends Sender>(route: PlainRoute<Path, Who>): void;
}

export interface MountedRoute {
  readonly method: string;
  readonly path: string;
  readonly cost: RouteCost;
}

const MOUNTED = new WeakMap<object, MountedRoute[]>();

/** Every route of an app with its declared cost. */
export function mountedRoutes(app: object): readonly MountedRoute[] {
  return MOUNTED.get(app) ?? [];
}

/** For a route that passes the gate elsewhere, with the cost declared in the contract. */
export function noteRoute(app: object, route: MountedRoute): void {
  MOUNTED.set(app, [...mountedRoutes(app), route]);
}

export function plainRoutes<E extends Env>(app: Hono<E>, gate: Gate): PlainRoutes {
  return {
    on<Path extends string, Who extends Sender>({
      method,
      path,
      cost,
      identify,
      handle,
      fail,
    }: PlainRoute<Path, Who>): void {
      noteRoute(app, { method, path, cost });
      const pass = async (c: Context<Env, Path>, next: Next): Promise<Response | void> => {
        const who = await identify(c);
        if (!who) return next();
        return who.userId === THIS_MACHINE ? handle(c, who) : gate.pass(cost, who.userId, async () => handle(c, who));
      };
      app.on(method, path, async (c, next) => {
        noteRequest({ route: path });
        try {
          return await pass(c as unknown as Context<Env, Path>, next);
        } catch (error) {
          if (fail) return fail(error, c);
          throw error;
        }
      });
    },
  };
}

/** For routes that are open to everyone. */
export function anonymousSender(c: Context<Env, string>): Sender {
  return { userId: callerNetwork(clientAddress(c.req.raw, c.env)) };
}
