declare module 'virtual:app-logos' {
  /** By the app's id. The path fills a square of 24. */
  export const logos: Readonly<
    Record<string, { readonly path: string; readonly light: string; readonly dark: string }>
  >;
}
