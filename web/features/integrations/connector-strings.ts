// What an app is for and what it can read comes from the catalogue, in English. Other languages have it here, by the
// connector's ID.
import { inLanguage } from '../../language/language.ts';
import { german } from './connector-strings.de.ts';

type ConnectorTexts = Readonly<Record<string, { readonly purpose: string; readonly reads: string }>>;

/** The texts of this file by the name that they are exported by. */
export const english = { connectorTexts: {} as ConnectorTexts };

export const { connectorTexts } = inLanguage(english, german);
