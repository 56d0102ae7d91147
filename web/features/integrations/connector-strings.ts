// What an app is for and what it can read comes from the catalogue, in English. Other languages have it here, by the
// connector's ID.
import { inLanguage } from '../../language/language.ts';

type ConnectorTexts = Readonly<Record<string, { readonly purpose: string; readonly reads: string }>>;

export const connectorTexts = inLanguage<ConnectorTexts>('connectorTexts', {});
