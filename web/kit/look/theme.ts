// One accent (pine green), warm neutrals, small radii. Text passes WCAG 2.2 AA in both color schemes, which the browser
// tests check on every page.
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import { common } from '../strings.ts';

const pine: MantineColorsTuple = [
  '#eef6f3',
  '#d8ebe4',
  '#b2d8cb',
  '#86c3b0',
  '#5bab95',
  '#38917b',
  '#207762',
  '#155f4f',
  '#104d41',
  '#0b3a31',
];
const stone: MantineColorsTuple = [
  '#faf9f7',
  '#f4f2ee',
  '#eae7e1',
  '#dcd8d0',
  '#c5bfb5',
  '#a09a8f',
  '#736d64',
  '#57524b',
  '#3a3631',
  '#23201c',
];
const charcoal: MantineColorsTuple = [
  '#ebe8e2',
  '#d3cec6',
  '#b3ada3',
  '#8f897f',
  '#4b4741',
  '#37342f',
  '#252320',
  '#211f1d',
  '#191816',
  '#11100f',
];

const SANS =
  '-apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';
const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace';

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  colors: { pine, gray: stone, dark: charcoal },
  black: '#23201c',
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  headings: {
    fontFamily: SANS,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  components: {
    Anchor: { defaultProps: { underline: 'always' } },
    Card: { defaultProps: { withBorder: true, padding: 'lg', radius: 'lg' } },
    Modal: {
      styles: { title: { fontWeight: 650, fontSize: '1.125rem', letterSpacing: '-0.014em' } },
      defaultProps: {
        centered: true,
        radius: 'lg',
        overlayProps: { backgroundOpacity: 0.45, blur: 2 },
        closeButtonProps: { 'aria-label': common.close },
      },
    },
    // The head of a dialog is no banner: on a phone the page has one already.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    // People write from left to right or from right to left, whatever the language of the page.
    TextInput: { defaultProps: { dir: 'auto' } },
    Textarea: { defaultProps: { dir: 'auto' } },
    // The library leaves the toggle out of the tab order; it must be usable by keyboard.
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': common.showTyped, tabIndex: 0 } } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 } },
    // Rendered inside their landmark and without an extra tab stop.
    Menu: { defaultProps: { shadow: 'md', radius: 'md', withinPortal: false, withInitialFocusPlaceholder: false } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    Select: { defaultProps: { allowDeselect: false, checkIconPosition: 'right' } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--app-canvas': '#faf9f7',
    '--app-rail': '#f4f2ee',
    '--app-line': '#e3dfd8',
    '--app-accent-text': '#155f4f',
    '--app-mark': '#ffe08a',
    '--app-control-line': '#857e73',
    '--mantine-color-dimmed': '#615b53',
    '--mantine-color-placeholder': '#736d64',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': '#d0cbc2',
    '--mantine-color-anchor': '#155f4f',
    '--mantine-color-red-light-color': '#9b1c16',
    '--mantine-color-red-outline': '#b3261e',
    '--mantine-color-red-filled': '#b3261e',
    '--mantine-color-red-filled-hover': '#971f18',
    '--mantine-color-yellow-light': '#fdf4da',
    '--mantine-color-yellow-light-color': '#7a4b00',
    '--mantine-color-gray-light-color': '#3a3631',
    '--mantine-color-pine-light-color': '#104d41',
  },
  dark: {
    '--app-canvas': '#191816',
    '--app-rail': '#151412',
    '--app-line': '#3a3732',
    '--app-accent-text': '#86c3b0',
    '--app-mark': '#5c4a12',
    '--app-control-line': '#9b958b',
    '--mantine-color-body': '#211f1d',
    '--mantine-color-text': '#e4e0d9',
    '--mantine-color-dimmed': '#aaa49a',
    '--mantine-color-placeholder': '#9b958b',
    '--mantine-color-error': '#ff9d94',
    // Apart from a card's own colour, which a button that is off would vanish in.
    '--mantine-color-disabled': '#36332e',
    '--mantine-color-anchor': '#86c3b0',
    '--mantine-color-red-light-color': '#ffb4ac',
    '--mantine-color-red-outline': '#ff9d94',
    '--mantine-color-red-filled': '#bb382e',
    '--mantine-color-red-filled-hover': '#a52f26',
    '--mantine-color-red-light': 'rgba(255, 157, 148, 0.11)',
    '--mantine-color-yellow-light': 'rgba(255, 217, 138, 0.1)',
    '--mantine-color-yellow-light-color': '#ffd98a',
    '--mantine-color-gray-light': 'rgba(255, 255, 255, 0.07)',
    '--mantine-color-pine-light': 'rgba(134, 195, 176, 0.14)',
    '--mantine-color-gray-light-color': '#d3cec6',
    '--mantine-color-pine-light-color': '#a9d8c9',
  },
});
