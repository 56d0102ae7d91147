// Routes outside the contract. Mounting one requires its cost, the size of its body if it takes one, and a way to
// identify the sender, who is identified first and then admitted.
import type { Context, Env, Hono, Next } from 'hono';
import { callerNetwork } from '../../net/caller-network.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import type { RouteCost } from '../../contract/route-cost.ts';
import { clientAddress } from './client-address.ts';
import type { Admission } from './admission/admission.ts';
import type { AttemptName, BodyName, Sender } from './admission/limits.ts';

interface PlainRoute<Path extends string, Who extends Sender> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'ALL';
  readonly path: Path;
  readonly cost: RouteCost;
  /** Absent if it takes none. */
  readonly body?: BodyName;
  /** For routes that strangers call. */
  readonly attempt?: AttemptName | undefined;
  /** Throws for anyone who may not call it. Undefined if the request is not for this route: the next match gets it. */
  readonly identify: (c: Context<Env, Path>) => Promise<Who | undefined> | Who | undefined;
  readonly handle: (c: Context<Env, Path>, who: Who, body: Buffer) => Promise<Response> | Response;
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
  readonly body?: BodyName | undefined;
}

const MOUNTED = new WeakMap<object, MountedRoute[]>();

/** Every route of an app with its declared cost. */
export function mountedRoutes(app: object): readonly MountedRoute[] {
  return MOUNTED.get(app) ?? [];
}

/** For a route that is admitted elsewhere, with the cost declared in the contract. */
export function noteRoute(app: object, route: MountedRoute): void {
  MOUNTED.set(app, [...mountedRoutes(app), route]);
}

export function plainRoutes<E extends Env>(app: Hono<E>, admission: Admission): PlainRoutes {
  return {
    on<Path extends string, Who extends Sender>(route: PlainRoute<Path, Who>): void {
      const { method, path, cost, body, attempt, identify, handle, fail } = route;
      noteRoute(app, { method, path, cost, body });
      const pass = async (c: Context<Env, Path>, next: Next): Promise<Response | void> => {
        if (attempt !== undefined) admission.attempt(attempt, anonymousSender(c).userId);
        const who = await identify(c);
        if (!who) return next();
        return admission.serve({ cost, body }, who, c.req.raw, (content) => handle(c, who, content));
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
  return { userId: callerNetwork(clientAddress(c.req.raw, c.env)), stranger: true };
}
