import { RouterProvider } from '@tanstack/react-router';
import { startWorker } from './installed/start-worker.ts';
import { mount } from './mount.tsx';
import { createAppRouter } from './router.tsx';
import { createQueryClient } from './session/query-client.ts';

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);
startWorker((path) => router.history.push(path));
mount(queryClient, <RouterProvider router={router} />);
