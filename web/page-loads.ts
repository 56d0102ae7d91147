// What a first visit may load: the bound on its script as it is sent, and on the number of files. The build writes which
// files each of these has, a test compares their sizes, and `npm run bench -- web` measures the same in a browser.

export interface PageLoad {
  /** The end of the names of the modules that it begins with. */
  readonly begins: readonly string[];
  /** What is loaded already. */
  readonly after?: string;
  readonly scriptKb: number;
  /** What it should be, where the bound is larger: the bench says that it is missed. */
  readonly aimKb?: number;
  readonly files: number;
}

export const PAGE_LOADS = {
  'sign-in': { begins: ['/web/main.ts', '/web/entrance.tsx'], scriptKb: 120, files: 12 },
  chat: {
    begins: [
      '/web/main.ts',
      '/web/app.tsx',
      '/shell/signed-layout.tsx',
      '/shell/app-layout.tsx',
      '/features/chat/chat-page.tsx',
    ],
    scriptKb: 254,
    aimKb: 250,
    files: 25,
  },
  thread: { begins: ['/conversation/message-list.tsx'], after: 'chat', scriptKb: 75, files: 12 },
  diagram: {
    begins: ['/markdown/render-diagram.ts', '/mermaid.core/flowDiagram-', '/mermaid.core/dagre-'],
    after: 'thread',
    scriptKb: 150,
    files: 12,
  },
} as const satisfies Readonly<Record<string, PageLoad>>;

interface Chunk {
  readonly fileName: string;
  readonly moduleIds: readonly string[];
  readonly imports: readonly string[];
}

/** The script files of each, without those that are loaded already. */
export function filesOfLoads(chunks: readonly Chunk[]): Record<string, readonly string[]> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const loaded: Record<string, ReadonlySet<string>> = {};
  const own: Record<string, readonly string[]> = {};
  for (const [name, { begins, after }] of Object.entries<PageLoad>(PAGE_LOADS)) {
    const before = (after === undefined ? undefined : loaded[after]) ?? new Set<string>();
    const files = new Set(
      begins.map((module) => {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => isModule(id, module)));
        if (chunk === undefined) throw new Error(`no chunk of the web app has ${module}`);
        return chunk.fileName;
      }),
    );
    for (const file of files) for (const imported of byName.get(file)?.imports ?? []) files.add(imported);
    loaded[name] = new Set([...before, ...files]);
    own[name] = [...files].filter((file) => !before.has(file));
  }
  return own;
}

function isModule(id: string, module: string): boolean {
  const path = id.replaceAll('\\', '/');
  return module.endsWith('-') ? path.includes(module) : path.endsWith(module);
}
