// Every key of the app. Pages register what they do by its name here (`useKeys`), and the help prints the same rows.
// `mod` is ⌘ on Apple's systems and Ctrl elsewhere. Combinations are free in Chrome, Firefox, Edge and Safari, need no
// key that a German keyboard lacks, and lie at the same place on it: with ⌥ only the place of a letter is known.

export type KeyGroup = 'everywhere' | 'chat' | 'list' | 'go';

interface KeyRow {
  readonly group: KeyGroup;
  /** Any of them; two with a space between are pressed one after the other. */
  readonly on: readonly string[];
}

export const KEYS = {
  palette: { group: 'everywhere', on: ['mod+k'] },
  newChat: { group: 'everywhere', on: ['mod+alt+o'] },
  foldNavigation: { group: 'everywhere', on: ['mod+.'] },
  help: { group: 'everywhere', on: ['?'] },
  prompt: { group: 'chat', on: ['/'] },
  stop: { group: 'chat', on: ['Escape'] },
  copyAnswer: { group: 'chat', on: ['mod+alt+x'] },
  nextChat: { group: 'chat', on: ['alt+PageDown'] },
  previousChat: { group: 'chat', on: ['alt+PageUp'] },
  foldChats: { group: 'chat', on: ['mod+shift+.'] },
  rowAbove: { group: 'list', on: ['ArrowUp'] },
  rowBelow: { group: 'list', on: ['ArrowDown'] },
  firstRow: { group: 'list', on: ['Home'] },
  lastRow: { group: 'list', on: ['End'] },
  rowMenu: { group: 'list', on: ['ArrowRight', 'shift+F10', 'ContextMenu'] },
  chat: { group: 'go', on: ['g c'] },
  runs: { group: 'go', on: ['g b'] },
  receipts: { group: 'go', on: ['g r'] },
  integrations: { group: 'go', on: ['g i'] },
  workspaces: { group: 'go', on: ['g w'] },
  gateway: { group: 'go', on: ['g m'] },
  members: { group: 'go', on: ['g p'] },
} as const satisfies Record<string, KeyRow>;

export type KeyName = keyof typeof KEYS;
