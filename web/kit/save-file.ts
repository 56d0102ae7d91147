/** Saves a file through the browser's downloads. For files behind a token, which a plain link cannot send. */
export async function saveFile(response: Response, name: string): Promise<void> {
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
