/** The link to send: the invitation's page in the web app. */
export function invitationUrl(publicUrl: string, id: string): string {
  return `${publicUrl}/invitations/${id}`;
}
