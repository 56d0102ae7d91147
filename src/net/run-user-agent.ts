/** The user agent of a background run. Clients cannot fake it: the gateway sets this header itself. */
export const RUN_USER_AGENT = 'service-run';
