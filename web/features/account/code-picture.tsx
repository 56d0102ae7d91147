import { encode } from 'uqr';
import type { ReactElement } from 'react';

const QUIET_ZONE = 4;

/** A QR code: dark on light in either scheme, because many cameras read no other. */
export function CodePicture({ text, label }: { text: string; label: string }): ReactElement {
  const { data, size } = encode(text, { border: QUIET_ZONE, ecc: 'M' });
  const dots = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn here, so there is no file for an img.
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width="200"
      height="200"
      shapeRendering="crispEdges"
      style={{ maxWidth: '100%', borderRadius: 8 }}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dots.join('')} fill="#000" />
    </svg>
  );
}
