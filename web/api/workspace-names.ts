/** An organization and one of its workspaces, by id or slug, as the API takes them. */
export interface WorkspaceNames {
  readonly organization: string;
  readonly workspace: string;
}
