// Streams are named after what they record: the tool calls of a workspace, or one background run.
export const connectStream = (workspaceId: string): string => `connect/${workspaceId}`;
export const jobStream = (jobId: string): string => `jobs/${jobId}`;

export function workspaceOfConnectStream(stream: string): string | undefined {
  return /^connect\/([^/]+)$/.exec(stream)?.[1];
}

export function jobOfStream(stream: string): string | undefined {
  return /^jobs\/([^/]+)$/.exec(stream)?.[1];
}
