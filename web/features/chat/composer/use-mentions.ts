import { useQuery } from '@tanstack/react-query';
import { connectorsQuery } from '../../integrations/queries.ts';
import { type Capability, capabilitiesQuery } from '../../integrations/capabilities.ts';
import { findMention, findUnusable, type Mention, namedKeys, offerCapabilities } from './mention.ts';
import { mentionStrings as strings } from '../strings.ts';
import { type Offer, type Offers, useOffers } from './use-offers.ts';

interface Mentions {
  readonly offers: Offers<Offer>;
  /** Whether the text mentions an app, so that sending it starts a run. */
  readonly names: boolean;
  /** The first mentioned app that cannot be used here. */
  readonly unusable: { readonly connector: string; readonly name: string; readonly why?: string } | undefined;
  /** Whether the mentions of the text are not known yet. */
  readonly isLoading: boolean;
}

interface MentionsProps {
  place: { organization: string; workspace: string | undefined };
  text: string;
  caret: number;
  onPick: (mention: Mention, key: string) => void;
}

const NONE: readonly Capability[] = [];

/** Suggests capabilities for what is being typed after an @. */
export function useMentions({ place, text, caret, onPick }: MentionsProps): Mentions {
  const enabled = text.includes('@');
  const capabilities = useQuery({ ...capabilitiesQuery(place), enabled });
  const catalogue = useQuery({ ...connectorsQuery(place.organization), enabled });
  const known = capabilities.data ?? NONE;
  const names = namedKeys(text, new Set(catalogue.data?.connectors.map((connector) => connector.id)));
  const unusable = capabilities.data === undefined ? undefined : findUnusable(names, known);
  const mention = findMention(text, caret);
  const offers = useOffers({
    start: mention?.start,
    offers: mention === undefined ? [] : offerCapabilities(known, mention.query).map(toOffer),
    onPick: ({ key }) => mention && onPick(mention, key),
  });
  return {
    offers,
    names: names.length > 0,
    unusable: unusable && {
      ...unusable,
      name:
        catalogue.data?.connectors.find((connector) => connector.id === unusable.connector)?.name ?? unusable.connector,
    },
    isLoading: capabilities.isLoading || catalogue.isLoading,
  };
}

function toOffer({ key, title, usable, why }: Capability): Offer {
  return { key, label: `@${key}`, note: usable ? title : strings.unusable(title, why ?? ''), usable };
}
