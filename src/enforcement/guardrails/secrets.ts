// Credentials, known by the shape that their issuers gave them, and values that are assigned to a telling name.
import { z } from 'zod';
import { defineKind, findSpans } from './kind-row.ts';

const SHAPES = [
  /(?<![\w-])sk-[\w-]{16,300}/g,
  /(?<!\w)(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)/g,
  /(?<!\w)gh[pousr]_[A-Za-z0-9]{20,255}/g,
  /(?<!\w)github_pat_\w{22,255}/g,
  /(?<!\w)glpat-[\w-]{20,255}/g,
  /(?<!\w)xox[abeprs]-[\w-]{10,255}/g,
  /(?<!\w)AIza[\w-]{35}(?![\w-])/g,
  /(?<!\w)[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}/g,
  /(?<![\w-])eyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{8,2000}/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[\w\s+/=:,]{0,10000}-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
  /(?<=(?<![a-z])(?:api[_-]?key|access[_-]?key|secret|password|passwd|token)["']?\s{0,3}[:=]\s{0,3}["']?)(?![\s"'])[^\s"',;]{8,200}/gi,
];

export const secrets = defineKind(z.looseObject({}), (text) => SHAPES.flatMap((shape) => findSpans(text, shape)));
