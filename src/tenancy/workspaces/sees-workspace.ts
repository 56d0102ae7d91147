/** The condition that the person of this row of `member_workspace` sees the workspace: members, owners and admins do. */
export function seesWorkspace(row: string): string {
  return `(${row}.is_member or ${row}.organization_role in ('owner', 'admin'))`;
}
