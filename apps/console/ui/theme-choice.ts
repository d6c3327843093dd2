import { useEffect, useSyncExternalStore } from 'react';
import { createStore } from 'zustand';

type ThemeChoice = 'light' | 'dark' | 'system';
export const THEME_CHOICES: readonly ThemeChoice[] = ['light', 'dark', 'system'];

const KEY = 'theme';
const DARK = '(prefers-color-scheme: dark)';

interface Theme {
  readonly choice: ThemeChoice;
  readonly dark: boolean;
}

const chosen = createStore<Theme>(() => themeOf(storedChoice()));
/** Theme of the HTML that the build renders. `first-paint.js` sets the colours of the user's theme. */
const RENDERED: Theme = { choice: 'light', dark: false };

export function chooseTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // If storage is disabled, the choice lasts as long as the page.
  }
  show(themeOf(choice));
}

/** Returns the choice and the resulting theme. `system` follows changes of the operating system. */
export function useTheme(): Theme {
  useEffect(followSystem, []);
  return useSyncExternalStore(chosen.subscribe, chosen.getState, () => RENDERED);
}

function followSystem(): () => void {
  const system = matchMedia(DARK);
  system.addEventListener('change', followOnce);
  followOnce();
  return () => system.removeEventListener('change', followOnce);
}

function followOnce(): void {
  const { choice, dark } = chosen.getState();
  const next = themeOf(choice);
  if (next.dark !== dark) show(next);
}

function show(theme: Theme): void {
  document.documentElement.setAttribute('data-theme', theme.dark ? 'dark' : 'light');
  chosen.setState(theme);
}

function themeOf(choice: ThemeChoice): Theme {
  return { choice, dark: choice === 'dark' || (choice === 'system' && matchMedia(DARK).matches) };
}

/** Returns the user's theme. Light by default. */
function storedChoice(): ThemeChoice {
  const stored = read();
  return THEME_CHOICES.find((choice) => choice === stored) ?? 'light';
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
