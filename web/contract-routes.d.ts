declare module 'virtual:contract-routes' {
  import type { AnyContractRouter } from '@orpc/contract';
  export const routes: AnyContractRouter;
  export const runtimeRoutes: AnyContractRouter;
  export const connectRoutes: AnyContractRouter;
}
