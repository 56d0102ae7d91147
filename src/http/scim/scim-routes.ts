// What a handler of the interface gets, and how the handlers are listed.

/** A request whose token was found. */
export interface ScimRequest {
  readonly organizationId: string;
  /** Of the path; empty if it has none. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** Parses the body. */
  readonly body: () => unknown;
}

export type ScimHandler = (request: ScimRequest) => Promise<Response> | Response;

/** By method and path below `SCIM_PATH`. */
export type ScimRoutes = Readonly<Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, ScimHandler>>;
