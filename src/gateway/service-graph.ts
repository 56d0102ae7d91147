// The service graph: which part of the service serves which path of the one public origin. The longest prefix wins, `/`
// comes last. Nothing else in the gateway knows a path.

export type UpstreamName = 'web' | 'runtime' | 'integrations' | 'integrations-connect' | 'broker' | 'sandbox';

export interface Service {
  readonly name: string;
  readonly prefix: string;
  readonly upstream: UpstreamName;
  /** The prefix removed from the path before it goes upstream; empty if the path stays unchanged. */
  readonly strip: string;
  /** A private service answers 404 unless the gateway may show it. */
  readonly private: boolean;
  readonly webSocket: boolean;
  /** Whose Host header the upstream sees. The integration provider may have a host name of its own. */
  readonly host: 'client' | 'upstream';
  /** The upstream is not ours: credentials of this service do not reach it. */
  readonly foreign?: true;
  /** The upstream also serves a web app that assumes it is at the root of its origin; here it is below this prefix. */
  readonly dashboardAt?: string;
  /**
   * Who answers in the end. A model may think for minutes, and its stream is work that ends on its own: a gateway that
   * stops lets it finish, however silent it is.
   */
  readonly waitsFor?: 'model';
  /** The prefix itself is also a page: a browser that navigates to it gets the web app. */
  readonly isPage?: true;
}

export const SERVICE_GRAPH = [
  { name: 'web', prefix: '/', upstream: 'web', strip: '', private: false, webSocket: false, host: 'client' },
  {
    name: 'models',
    prefix: '/v1',
    upstream: 'web',
    strip: '',
    private: false,
    webSocket: false,
    host: 'client',
    waitsFor: 'model',
  },
  {
    name: 'chat',
    prefix: '/api/chat',
    upstream: 'web',
    strip: '',
    private: false,
    webSocket: false,
    host: 'client',
    waitsFor: 'model',
  },
  {
    name: 'runtime',
    prefix: '/runtime',
    upstream: 'runtime',
    strip: '/runtime',
    private: false,
    webSocket: true,
    host: 'client',
  },
  {
    name: 'agents',
    prefix: '/agents',
    upstream: 'runtime',
    strip: '',
    private: false,
    webSocket: true,
    host: 'client',
  },
  {
    name: 'jobs',
    prefix: '/jobs',
    upstream: 'runtime',
    strip: '',
    private: false,
    webSocket: true,
    host: 'client',
  },
  {
    name: 'hooks',
    prefix: '/hooks',
    upstream: 'runtime',
    strip: '',
    private: false,
    webSocket: true,
    host: 'client',
  },
  {
    name: 'service',
    prefix: '/service',
    upstream: 'runtime',
    strip: '',
    private: false,
    webSocket: true,
    host: 'client',
  },
  {
    name: 'connect',
    prefix: '/connect',
    upstream: 'runtime',
    strip: '',
    private: false,
    webSocket: true,
    host: 'client',
  },
  {
    name: 'service-debug',
    prefix: '/service-debug',
    upstream: 'runtime',
    strip: '',
    private: false,
    webSocket: true,
    host: 'client',
  },
  {
    name: 'integrations',
    prefix: '/integrations',
    upstream: 'integrations',
    strip: '/integrations',
    private: false,
    webSocket: true,
    host: 'upstream',
    foreign: true,
    isPage: true,
    dashboardAt: '/integrations',
  },
  {
    name: 'integrations-connect',
    prefix: '/integrations-connect',
    upstream: 'integrations-connect',
    strip: '/integrations-connect',
    private: false,
    webSocket: true,
    host: 'upstream',
    foreign: true,
  },
  {
    name: 'oauth',
    prefix: '/oauth',
    upstream: 'integrations',
    strip: '',
    private: false,
    webSocket: true,
    host: 'upstream',
    foreign: true,
  },
  {
    name: 'metrics',
    prefix: '/metrics',
    upstream: 'runtime',
    strip: '',
    private: true,
    webSocket: true,
    host: 'client',
  },
  {
    name: 'runtime-metrics',
    prefix: '/runtime/metrics',
    upstream: 'runtime',
    strip: '/runtime',
    private: true,
    webSocket: true,
    host: 'client',
  },
  {
    name: 'broker',
    prefix: '/broker',
    upstream: 'broker',
    strip: '/broker',
    private: true,
    webSocket: true,
    host: 'client',
  },
  {
    name: 'sandbox',
    prefix: '/sandbox',
    upstream: 'sandbox',
    strip: '/sandbox',
    private: true,
    webSocket: true,
    host: 'client',
  },
] as const satisfies readonly Service[];
