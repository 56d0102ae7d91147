const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The key that opens commands, as it is printed on this keyboard. */
export const MOD_KEY = isApple ? '⌘' : 'Ctrl';
