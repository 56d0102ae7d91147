// The dashboard as a small web app. It behaves like the real one in everything that matters to a proxy in front of it:
// it assumes the root of its origin, finds its configuration through a tag in its page, loads scripts and styles from
// `/assets`, navigates by pushing paths, and calls `/api/v1` with the browser's basic authentication.
import { LABEL } from './pages.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><title>Integration provider (local)</title>
<meta name="nango-api-origin" content="" />
<link rel="stylesheet" href="/assets/dashboard.css">
<script type="module" src="/assets/index.js"></script>
</head>
<body><p class="label">${LABEL}</p><div id="root"></div></body>
</html>
`;

const STYLE = `@import url(/assets/colours.css);
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; }
a { margin-right: 1rem; }
`;
const COLOURS = `:root { color-scheme: light dark; }
p.label { padding: .5rem .75rem; background: light-dark(#fff4d6, #3a3012); }
`;

const INDEX = `const origin = document.querySelector('meta[name="nango-api-origin"]').content;
const script = document.createElement('script');
script.src = origin ? origin.replace(/\\/$/, '') + '/env.js' : '/env.js';
script.onload = () => import('./main.js');
document.head.append(script);
`;

/** A router like the common ones: its base is the root unless configured otherwise. */
const MAIN = `const options={};
const router={basename:options.basename||"/"};
const root=document.getElementById('root');
const base=router.basename.replace(/\\/$/,'');
const here=()=>location.pathname.startsWith(base+'/')?location.pathname.slice(base.length):undefined;
const go=(path,replace)=>{history[replace?'replaceState':'pushState'](null,'',base+path);show()};
const ask=async(path)=>{const answer=await fetch(new URL(path,window._env.dashboardApiUrl==='/'?location.origin:window._env.dashboardApiUrl),{credentials:'include'});if(!answer.ok)throw new Error('The sign-in was refused.');return(await answer.json()).data};
const add=(tag,text)=>{const made=document.createElement(tag);made.textContent=text;root.append(made);return made};
const PAGES={
'/prod':['Home',async()=>add('p','The environment is prod.')],
'/prod/environment-settings':['Environment Settings',async()=>{for(const key of await ask('/api/v1/environment/api-keys?env=prod')){add('h2','API Keys');add('code',key.secret)}}],
'/prod/integrations':['Integrations',async()=>{const list=add('ul','');for(const one of await ask('/api/v1/integrations?env=prod'))list.append(Object.assign(document.createElement('li'),{textContent:one.unique_key+(one.oauth_client_id?'':' (no client)')}))}]};
const show=async()=>{const path=here();if(path==='/')return go('/prod',true);root.replaceChildren();
for(const[to,[name]]of Object.entries(PAGES)){const link=add('a',name);link.setAttribute('href',to);link.onclick=(event)=>{event.preventDefault();go(to)}}
const page=PAGES[path];add('h1',page?page[0]:'Not found');document.documentElement.dataset.path=window.location.pathname;
try{await page?.[1]()}catch(error){add('p',error.message)}};
window.onpopstate=show;show();
`;

const SCRIPT = 'text/javascript; charset=utf-8';
const ASSETS: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/assets/index.js': [SCRIPT, INDEX],
  '/assets/main.js': [SCRIPT, MAIN],
  '/assets/dashboard.css': ['text/css; charset=utf-8', STYLE],
  '/assets/colours.css': ['text/css; charset=utf-8', COLOURS],
};

/** Undefined for a path the dashboard does not serve. */
export function answerDashboard(path: string, publicUrl: string): Response | undefined {
  if (path === '/env.js')
    return new Response(`window._env = ${JSON.stringify({ apiUrl: publicUrl, dashboardApiUrl: '/' })};`, {
      headers: { 'content-type': SCRIPT, 'cache-control': 'no-cache' },
    });
  const asset = Object.hasOwn(ASSETS, path) ? ASSETS[path] : undefined;
  if (asset)
    return new Response(asset[1], {
      headers: { 'content-type': asset[0], 'cache-control': 'public, max-age=31536000, immutable' },
    });
  if (path !== '/' && path !== '/prod' && !path.startsWith('/prod/')) return undefined;
  return new Response(PAGE, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache, private',
      'content-security-policy': "default-src 'self'; script-src 'self' 'unsafe-inline'; frame-ancestors 'self'",
      'x-frame-options': 'SAMEORIGIN',
    },
  });
}
