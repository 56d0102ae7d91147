// Streams are named after what they record: the tool calls of a workspace, or one background run.
export const connectStream = (workspaceId: string): string => `connect/${workspaceId}`;
export const runStream = (runId: string): string => `jobs/${runId}`;

// PostgreSQL's text type takes no NUL byte, so no name contains one.
const NAMED = { connect: /^connect\/([^/\0]+)$/, jobs: /^jobs\/([^/\0]+)$/ } as const;

export function workspaceOfConnectStream(stream: string): string | undefined {
  return NAMED.connect.exec(stream)?.[1];
}

export function runOfStream(stream: string): string | undefined {
  return NAMED.jobs.exec(stream)?.[1];
}
