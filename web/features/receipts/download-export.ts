import { fetchRuntime } from '../../api/runtime-client.ts';

/** Hands the export to the browser's downloads. The token stays in a header, so no link can be made of it. */
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
