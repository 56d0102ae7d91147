/** Who calls for a background run. No client can say so: the gateway writes this header itself. */
export const RUN_USER_AGENT = 'service-run';
