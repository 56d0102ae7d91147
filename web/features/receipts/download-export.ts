import { fetchRuntime } from '../../api/runtime-client.ts';

/** Downloads the export. A plain link is not possible, because the token is sent in a header. */
export async function downloadExport(organization: string, stream: string): Promise<void> {
  const response = await fetchRuntime(organization, `/service/export?stream=${encodeURIComponent(stream)}`);
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'receipts.jsonl';
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
