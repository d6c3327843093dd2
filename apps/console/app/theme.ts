import type { RaThemeOptions } from 'react-admin';

/**
 * Colours that MUI computes with, equal to those in ui/tokens.css (a test compares them). All others are CSS variables.
 */
export const lightColours = {
  paper: '#F7F6F2',
  surface: '#FFFFFF',
  line: '#E2E1D9',
  ink: '#0F2630',
  ink2: '#3F545E',
  ink3: '#596B74',
  sea: '#0A5A6C',
  seaHover: '#084855',
  onSea: '#FFFFFF',
  starboard: '#17694A',
  brass: '#7D5200',
  port: '#AE2A22',
  onPort: '#FFFFFF',
  chart: '#9C1F66',
};
export const darkColours: typeof lightColours = {
  paper: '#0A1418',
  surface: '#101C21',
  line: '#22333A',
  ink: '#E7EEF0',
  ink2: '#B4C4CA',
  ink3: '#8FA2AA',
  sea: '#62C1D0',
  seaHover: '#82D0DC',
  onSea: '#04212A',
  starboard: '#62C89A',
  brass: '#E4B45B',
  port: '#FF9086',
  onPort: '#2A0806',
  chart: '#F192C3',
};

/** Step of the type scale as separate properties, because MUI's own would override a `font` shorthand. */
const type = (size: number, line: number, fontWeight: number) => ({
  fontSize: `${size / 16}rem`,
  lineHeight: `${line / 16}rem`,
  fontWeight,
  letterSpacing: 'normal',
});

/** Styles of the components, whose colours are CSS variables. */
const components: RaThemeOptions['components'] = {
  MuiCssBaseline: { styleOverrides: { body: { fontVariantNumeric: 'tabular-nums' } } },
  MuiButtonBase: {
    defaultProps: { disableRipple: true },
    styleOverrides: { root: { '&.Mui-focusVisible': { outline: '2px solid var(--sea)', outlineOffset: 2 } } },
  },
  MuiButton: {
    defaultProps: { variant: 'outlined', disableElevation: true, color: 'inherit' },
    styleOverrides: {
      root: { minHeight: 'var(--control)', padding: '0 14px' },
      outlined: {
        borderColor: 'var(--line-strong)',
        background: 'var(--surface)',
        '&:hover': { background: 'var(--sunken)' },
      },
    },
  },
  MuiDialogTitle: { styleOverrides: { root: { overflowWrap: 'anywhere' } } },
  MuiDialogContentText: { styleOverrides: { root: { display: 'grid', gap: 8, marginBottom: 16 } } },
  MuiDialogActions: { styleOverrides: { root: { padding: '4px 24px 20px' } } },
  MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiCard: { styleOverrides: { root: { border: '1px solid var(--line)', borderRadius: 'var(--r-3)' } } },
  MuiAppBar: {
    styleOverrides: {
      root: {
        background: 'var(--surface)',
        color: 'var(--ink)',
        boxShadow: 'none',
        borderBottom: '1px solid var(--line)',
      },
    },
  }, // `color="secondary"` from react-admin overrides defaultProps
  MuiTableCell: {
    styleOverrides: {
      root: { font: 'var(--t-14)', padding: '11px 12px', borderColor: 'var(--line)' },
      head: { font: '550 var(--t-13)', color: 'var(--ink-3)', background: 'var(--surface)' },
    },
  },
  MuiTableRow: {
    styleOverrides: {
      root: {
        '&:hover': { background: 'color-mix(in srgb, var(--sea-tint) 45%, transparent)' },
        '&:last-child td': { borderBottom: 0 },
      },
    },
  },
  MuiOutlinedInput: {
    styleOverrides: {
      root: { background: 'var(--surface)', minHeight: 'var(--control)' },
      notchedOutline: { borderColor: 'var(--line-strong)' },
    },
  },
  MuiInputBase: { styleOverrides: { input: { '&::placeholder': { color: 'var(--ink-3)', opacity: 1 } } } }, // MUI's 42 % placeholder fails 4.5:1
  MuiTextField: { defaultProps: { variant: 'outlined', size: 'small' } },
  MuiFormControl: { defaultProps: { variant: 'outlined', size: 'small' } },
  MuiDialog: {
    styleOverrides: {
      paper: {
        border: '1px solid var(--line)',
        borderRadius: 'var(--r-3)',
        boxShadow: 'var(--shade-2)',
        // Only the content scrolls.
        '& > form': { display: 'flex', flexDirection: 'column', minHeight: 0 },
      },
    },
  },
  MuiBackdrop: { styleOverrides: { root: { '&:not(.MuiBackdrop-invisible)': { background: 'var(--scrim)' } } } },
  MuiDrawer: {
    styleOverrides: { paper: { width: 'min(100vw, var(--drawer))', borderLeft: '1px solid var(--line)' } },
  },
  MuiMenuItem: { styleOverrides: { root: { '@media (pointer: coarse)': { minHeight: 'var(--control)' } } } },
  MuiMenu: { styleOverrides: { paper: { border: '1px solid var(--line)', boxShadow: 'var(--shade-1)' } } },
  MuiTooltip: {
    styleOverrides: { tooltip: { background: 'var(--ink)', color: 'var(--surface)', font: 'var(--t-13)' } },
  },
};

const theme = (mode: 'light' | 'dark', c: typeof lightColours): RaThemeOptions => ({
  palette: {
    mode,
    background: { default: c.paper, paper: c.surface },
    text: { primary: c.ink, secondary: c.ink2, disabled: c.ink3 },
    primary: { main: c.sea, dark: c.seaHover, contrastText: c.onSea },
    secondary: { main: c.chart },
    success: { main: c.starboard },
    warning: { main: c.brass },
    error: { main: c.port, contrastText: c.onPort },
    divider: c.line,
  },
  shape: { borderRadius: 7 },
  // Spacing stays 8, because react-admin's Layout depends on it. With 4 the page slides under the app bar.
  typography: {
    fontFamily: 'var(--font)',
    fontSize: 14,
    h1: { ...type(28, 34, 600), letterSpacing: '-.018em' },
    h2: { ...type(18, 26, 600), letterSpacing: '-.01em' },
    h3: type(14, 20, 600),
    h6: type(16, 24, 600),
    body1: type(14, 20, 400),
    body2: type(14, 20, 400),
    caption: type(13, 20, 400),
    button: { ...type(14, 20, 550), textTransform: 'none', letterSpacing: 0 },
  },
  transitions: {
    duration: {
      shortest: 100,
      shorter: 100,
      short: 180,
      standard: 180,
      complex: 260,
      enteringScreen: 260,
      leavingScreen: 180,
    },
  },
  components,
});

export const lightTheme = theme('light', lightColours);
export const darkTheme = theme('dark', darkColours);
