import { posix } from 'node:path';
import type { Zip } from './read-zip.ts';
import { readAttribute, walkXml } from './walk-xml.ts';

export interface Relation {
  /** The entry's name in the archive. */
  readonly target: string;
  readonly type: string;
}

/** What a part of an Office document refers to within its archive, by id. Addresses outside are left out. */
export function readRelations(zip: Zip, part: string): ReadonlyMap<string, Relation> {
  const folder = posix.dirname(part);
  const xml = zip.read(`${folder}/_rels/${posix.basename(part)}.rels`);
  const relations = new Map<string, Relation>();
  if (xml)
    walkXml(xml, {
      open(name, attributes) {
        if (name !== 'Relationship' || readAttribute(attributes, 'TargetMode') === 'External') return;
        const target = readAttribute(attributes, 'Target') ?? '';
        relations.set(readAttribute(attributes, 'Id') ?? '', {
          target: target.startsWith('/') ? target.slice(1) : posix.normalize(posix.join(folder, target)),
          type: (readAttribute(attributes, 'Type') ?? '').split('/').at(-1) ?? '',
        });
      },
    });
  return relations;
}
