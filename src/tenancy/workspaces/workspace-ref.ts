/** A workspace, always together with its organization: a query that names one names both. */
export interface WorkspaceRef {
  readonly organizationId: string;
  readonly workspaceId: string;
}
