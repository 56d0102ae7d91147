// Stroke icons on a 20-unit grid. Decorative only: the text beside them has the meaning.
import type { ReactElement } from 'react';

const PATHS = {
  workspaces: 'M3 5.5h6v4H3zM11 5.5h6v9h-6zM3 11.5h6v3H3z',
  gateway: 'M6.5 3v4M13.5 3v4M4 7h12v2.5a6 6 0 0 1-12 0zM10 15.5V18',
  people:
    'M7.5 9a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5zM2.5 16.5c0-3 2-5 5-5s5 2 5 5M12.5 4a2.5 2.5 0 0 1 0 5M14 11.7c2.2.5 3.5 2.3 3.5 4.8',
  settings: 'M4 6h7M15 6h1M4 14h1M9 14h7M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  globe: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM3 10h14M10 3c2 2 3 4.3 3 7s-1 5-3 7c-2-2-3-4.3-3-7s1-5 3-7z',
  key: 'M7 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM10.5 10H17v3M14 10v2.5',
  directory: 'M4 3.5h12v13H4zM4 8h12M4 12.3h12M7 5.8h1M7 10.2h1M7 14.4h1',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l4 4',
  rail: 'M3 4.5h14v11H3zM8 4.5v11',
  chevrons: 'M6.5 8 10 4.5 13.5 8M6.5 12l3.5 3.5 3.5-3.5',
  chevron: 'M8 5l5 5-5 5',
  unfold: 'M5 8l5 5 5-5',
  back: 'M12 5l-5 5 5 5',
  check: 'M4.5 10.5 8.5 14.5 16 6',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  plus: 'M10 4v12M4 10h12',
  more: 'M5 10h.01M10 10h.01M15 10h.01',
  sun: 'M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM10 2.5v1.5M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1 1M14.3 14.3l1 1M4.7 15.3l1-1M14.3 5.7l1-1',
  moon: 'M16 12.2A6.7 6.7 0 0 1 7.8 4a6.7 6.7 0 1 0 8.2 8.2z',
  auto: 'M3 4.5h14v9H3zM7.5 16.5h5',
  leave: 'M8 4H4v12h4M12.5 6.5 16 10l-3.5 3.5M16 10H8',
  alert: 'M10 3 18 16.5H2zM10 8v4M10 14.2v.1',
  mail: 'M3 5h14v10H3zM3 6l7 5 7-5',
  keyboard: 'M2.5 5.5h15v9h-15zM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M6.5 11.7h7',
  offline:
    'M3 3l14 14M6 9.5A6 6 0 0 1 8.3 8M12.6 8.4c.5.3 1 .7 1.4 1.1M8.3 12.2a2.6 2.6 0 0 1 3.4 0M10 15.2v.1M3 6.8a10 10 0 0 1 2.4-1.6M9 4.1a10 10 0 0 1 8 2.7',
  models: 'M10 2.5 17 6v8l-7 3.5L3 14V6zM3 6l7 3.5L17 6M10 9.5v8',
  policies: 'M5 2.5h7l3 3v12H5zM7.5 8.5h5M7.5 11.5h5M7.5 14.5h3',
  tools: 'M12.5 3.2a4 4 0 0 0-4.7 5.3L3.4 13a1.9 1.9 0 0 0 2.7 2.7l4.4-4.5a4 4 0 0 0 5.3-4.7l-2.4 2.4-2.5-.7-.7-2.5z',
  spending:
    'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM12.3 7.6c-.4-.8-1.2-1.2-2.3-1.2-1.3 0-2.2.6-2.2 1.6 0 2.4 4.5 1.2 4.5 3.6 0 1-.9 1.7-2.3 1.7-1.2 0-2.1-.5-2.4-1.4M10 5.2v9.4',
  chart: 'M3 17h14M5.5 14v-4M10 14V4.5M14.5 14V8',
  signIn: 'M12 4h4v12h-4M8.5 6.5 12 10l-3.5 3.5M12 10H4',
  shield: 'M10 3l6 2.2v4.3c0 3.6-2.4 6.2-6 7.5-3.6-1.3-6-3.9-6-7.5V5.2z',
  chat: 'M4 4.5h12v9H9.5L6 16.5v-3H4z',
  receipt: 'M5.5 3h9v14l-2.25-1.5L10 17l-2.25-1.5L5.5 17zM8 7h4M8 10h4',
  send: 'M10 16V4.5M5 9.5l5-5 5 5',
  stop: 'M6 6h8v8H6z',
  attach: 'M15.5 9.5 10 15a3.5 3.5 0 0 1-5-5l5.5-5.5a2.4 2.4 0 0 1 3.4 3.4L8.5 13.2a1.2 1.2 0 0 1-1.7-1.7L11.5 7',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l.7 11h7.6l.7-11M8.5 9v5M11.5 9v5',
  folder: 'M3 5h5l2 2.5h7V16H3z',
  file: 'M5.5 3H12l3 3v11H5.5zM12 3v3h3',
  down: 'M10 4v11.5M5 10.5l5 5 5-5',
  run: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM8.5 7.25v5.5l4.25-2.75z',
  pin: 'M7 3h6l-.5 5 2.5 2.5v1H5v-1L7.5 8zM10 11.5V17',
  archive: 'M3 4h14v3.5H3zM4.5 7.5v9h11v-9M8 11h4',
  share:
    'M14 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM6 12.25a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM14 17a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM8 9l4-2.5M8 11l4 2.5',
  thumbUp:
    'M3 9h3v7.5H3zM6 9l3.2-5.6c1.2 0 2 .9 1.8 2.1L10.5 8.5h4.7c1.1 0 1.9 1 1.6 2.1l-1.2 4.6c-.2.8-.9 1.3-1.7 1.3H6',
  thumbDown:
    'M3 11h3V3.5H3zM6 11l3.2 5.6c1.2 0 2-.9 1.8-2.1l-.5-3h4.7c1.1 0 1.9-1 1.6-2.1l-1.2-4.6c-.2-.8-.9-1.3-1.7-1.3H6',
  prompt: 'M4 4.5h12v11H4zM8.5 12.5l3-5',
  bell: 'M10 3a4.5 4.5 0 0 1 4.5 4.5c0 4 1.5 5 1.5 6H4c0-1 1.5-2 1.5-6A4.5 4.5 0 0 1 10 3zM8.3 16.3a1.8 1.8 0 0 0 3.4 0',
  link: 'M8.5 11.5l3-3M9 6.5l1.5-1.5a3 3 0 0 1 4.5 4.5L13.5 11M11 13.5 9.5 15A3 3 0 0 1 5 10.5L6.5 9',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }): ReactElement {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
