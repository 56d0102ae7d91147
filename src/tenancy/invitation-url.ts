/** The link that is handed over: the web app's page for it. */
export function invitationUrl(publicUrl: string, id: string): string {
  return `${publicUrl}/invitations/${id}`;
}
