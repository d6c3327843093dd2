import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { darkColours, darkTheme, lightColours, lightTheme } from '../app/theme';

const css = readFileSync(join('apps', 'console', 'ui', 'tokens.css'), 'utf8');

type Tokens = Readonly<Record<string, string>>;

/** Returns the declarations of the block that begins with this selector. */
function tokensOf(selector: string): Tokens {
  const start = css.indexOf(selector);
  if (start === -1) throw new Error(`tokens.css has no ${selector}`);
  const block = css.slice(css.indexOf('{', start) + 1, css.indexOf('}', start));
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.trim()]),
  );
}

const THEMES: Readonly<Record<'light' | 'dark', Tokens>> = {
  light: tokensOf("[data-theme='light']"),
  dark: tokensOf("\n[data-theme='dark']"),
};

function hex(tokens: Tokens, name: string): string {
  const value = tokens[name] ?? '';
  if (!/^#[0-9a-f]{6}$/i.test(value)) throw new Error(`--${name} is not a plain colour: ${value}`);
  return value;
}

/** Relative luminance as defined by WCAG 2.2. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (lighter + 0.05) / (darker + 0.05);
}

const TEXT = 4.5;
const EDGE = 3;
const TINTED = ['sea', 'chart', 'starboard', 'brass', 'port', 'off'];

/** All colour pairs in use: foreground, background and the required contrast. */
const PAIRS: readonly (readonly [string, string, number])[] = [
  ...['ink', 'ink-2', 'ink-3', ...TINTED].flatMap((ink) =>
    ['surface', 'paper'].map((ground) => [ink, ground, TEXT] as const),
  ),
  ...['ink', 'ink-2', 'ink-3'].map((ink) => [ink, 'sunken', TEXT] as const),
  ...TINTED.flatMap((tone) => [
    [tone, `${tone}-tint`, TEXT] as const,
    ['ink', `${tone}-tint`, TEXT] as const,
    ['ink-2', `${tone}-tint`, TEXT] as const,
  ]),
  ['ink-3', 'sea-tint', TEXT],
  ['on-sea', 'sea', TEXT],
  ['on-sea', 'sea-hover', TEXT],
  ['on-port', 'port', TEXT],
  ['surface', 'ink', TEXT],
  ['line-strong', 'surface', EDGE],
  ['line-strong', 'sunken', EDGE],
  ['fill', 'surface', EDGE],
];

describe.each(['light', 'dark'] as const)('colours of the %s theme', (mode) => {
  const tokens = THEMES[mode];

  it.each(PAIRS)('%s on %s has a contrast of at least %d', (front, ground, needed) => {
    expect(contrast(hex(tokens, front), hex(tokens, ground))).toBeGreaterThanOrEqual(needed);
  });
});

describe('contrast on the design page', () => {
  it.each([
    ['light', 'ink', 'surface', 15.67],
    ['dark', 'ink', 'surface', 14.78],
    ['light', 'ink-3', 'surface', 5.56],
    ['light', 'brass', 'brass-tint', 5.97],
    ['dark', 'chart', 'chart-tint', 7.63],
    ['dark', 'on-sea', 'sea', 8.01],
    ['light', 'line-strong', 'sunken', 3.03],
  ] as const)('%s: %s on %s is %d', (mode, front, ground, ratio) => {
    expect(contrast(hex(THEMES[mode], front), hex(THEMES[mode], ground))).toBeCloseTo(ratio, 1);
  });
});

describe('theme of the logged-in pages', () => {
  const kebab = (name: string): string => name.replace(/([A-Z]|\d)/g, (part) => `-${part.toLowerCase()}`);

  it.each([
    ['light', lightColours],
    ['dark', darkColours],
  ] as const)('has the colours of the tokens, %s', (mode, colours) => {
    for (const [name, colour] of Object.entries(colours)) {
      expect([name, colour.toLowerCase()]).toEqual([name, hex(THEMES[mode], kebab(name))]);
    }
  });

  it('passes them to the palette', () => {
    for (const [{ palette }, tokens] of [
      [lightTheme, THEMES.light],
      [darkTheme, THEMES.dark],
    ] as const) {
      expect(palette).toMatchObject({
        background: { default: upper(tokens, 'paper'), paper: upper(tokens, 'surface') },
        primary: { main: upper(tokens, 'sea'), contrastText: upper(tokens, 'on-sea') },
        secondary: { main: upper(tokens, 'chart') },
        success: { main: upper(tokens, 'starboard') },
        warning: { main: upper(tokens, 'brass') },
        error: { main: upper(tokens, 'port'), contrastText: upper(tokens, 'on-port') },
        text: { primary: upper(tokens, 'ink'), secondary: upper(tokens, 'ink-2') },
      });
    }
  });

  it('sets type in the steps of the scale', () => {
    const scale = tokensOf(':root');
    const { typography } = lightTheme as { typography: Record<string, { fontSize: string; lineHeight: string }> };
    for (const [variant, step] of [
      ['h1', 't-28'],
      ['h2', 't-18'],
      ['body1', 't-14'],
      ['body2', 't-14'],
      ['caption', 't-13'],
      ['button', 't-14'],
    ] as const) {
      expect(`${typography[variant]?.fontSize}/${typography[variant]?.lineHeight}`).toBe(scale[step]?.split(' ')[0]);
    }
  });
});

const upper = (tokens: Tokens, name: string): string => hex(tokens, name).toUpperCase();
