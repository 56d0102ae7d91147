import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { cssVariables, theme } from './kit/look/theme.ts';

/** Shows the app, or a page that stands by itself. */
export function mount(queryClient: QueryClient, page: ReactNode): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no root element');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
          colorSchemeManager={localStorageColorSchemeManager({ key: 'color-scheme' })}
        >
          {page}
        </MantineProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
