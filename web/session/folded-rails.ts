// Which of the two rails beside the page are folded: per person, in this browser. Read at the first render, so that a
// reload shows the page as it was.
import { createKeyedStore } from '../kit/keyed-store.ts';
import { useSignedIn } from './organization-context.ts';

interface Folded {
  readonly navigation: boolean;
  readonly chats: boolean;
}

const rails = createKeyedStore<Folded>({
  empty: { navigation: false, chats: false },
  isEmpty: ({ navigation, chats }) => !navigation && !chats,
  persist: {
    area: 'local',
    prefix: 'folded-rails:',
    pack: (folded) => JSON.stringify(folded),
    unpack: (stored) => JSON.parse(stored) as Folded,
  },
});

/** Whether it is folded, and how to fold or unfold it. */
export function useFoldedRail(rail: keyof Folded): readonly [boolean, () => void] {
  const { user } = useSignedIn();
  const folded = rails.use(user.id)[rail];
  return [folded, () => rails.change(user.id, (known) => ({ ...known, [rail]: !folded }))];
}
