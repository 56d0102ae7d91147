// The filters of `requests`, applied to the pages of the log. Pure.
import { usage } from '../failure.ts';
import type { LoggedRequest } from '../../src/contract/spend.ts';

export interface RequestFilters {
  /** IDs. */
  readonly member?: string | undefined;
  readonly workspace?: string | undefined;
  readonly token?: string | undefined;
  /** With * for any characters. */
  readonly model?: string | undefined;
  readonly surface?: string | undefined;
  readonly status?: { readonly least: number; readonly most: number } | undefined;
}

export function matchesRequest(request: LoggedRequest, filters: RequestFilters): boolean {
  const { member, workspace, token, model, surface, status } = filters;
  return (
    (member === undefined || request.member === member) &&
    (workspace === undefined || request.workspace === workspace) &&
    (token === undefined || request.token === token) &&
    (surface === undefined || request.surface === surface) &&
    (status === undefined || (request.status >= status.least && request.status <= status.most)) &&
    (model === undefined || [request.model, request.served ?? ''].some((name) => matchesPattern(name, model)))
  );
}

function matchesPattern(name: string, pattern: string): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('.*');
  return new RegExp(`^${source}$`, 'i').test(name);
}

/** `429`, or `4xx` for all that begin with 4. */
export function readStatus(given: string): { readonly least: number; readonly most: number } {
  const [, digit] = /^([1-5])xx$/i.exec(given) ?? [];
  if (digit !== undefined) return { least: Number(digit) * 100, most: Number(digit) * 100 + 99 };
  if (!/^[1-5]\d\d$/.test(given)) throw usage('--status takes an HTTP status such as 429, or 4xx');
  return { least: Number(given), most: Number(given) };
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30m`, `2h`, `7d`, or a date or time; returns milliseconds. */
export function readSince(given: string, nowMs: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(given) ?? [];
  const at = count === undefined ? Date.parse(given) : nowMs - Number(count) * (UNIT_MS[unit] ?? 0);
  if (Number.isNaN(at)) throw usage('--since takes a duration such as 30m, 2h or 7d, or a date such as 2026-03-04');
  return at;
}
