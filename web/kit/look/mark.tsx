import type { ReactElement } from 'react';

/** The logo: two links of a chain. */
export function Mark({ size = 28 }: { size?: number }): ReactElement {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#155f4f" />
      <g fill="none" stroke="#fff" strokeWidth="2.6">
        <circle cx="12" cy="16" r="5.4" />
        <circle cx="20" cy="16" r="5.4" strokeOpacity="0.72" />
      </g>
    </svg>
  );
}

/** The same chain, large and faint, as the background of the sign-in pages. */
export function ChainArt(): ReactElement {
  return (
    <svg
      className="front-art"
      viewBox="0 0 400 400"
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
      focusable="false"
    >
      {[0, 1, 2, 3, 4].map((link) => (
        <circle key={link} cx={80 + link * 60} cy={320 - link * 60} r="58" strokeWidth="9" />
      ))}
    </svg>
  );
}
