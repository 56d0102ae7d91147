/** Where ⌘ and ⌥ take the places of Ctrl and Alt. */
export const isApple: boolean = /Mac|iPhone|iPad/.test(navigator.userAgent);
