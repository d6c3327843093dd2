import { useEffect } from 'react';
import { create } from 'zustand';

type ThemeChoice = 'light' | 'dark' | 'system';
export const THEME_CHOICES: readonly ThemeChoice[] = ['light', 'dark', 'system'];

const KEY = 'theme';
const DARK = '(prefers-color-scheme: dark)';

interface Theme {
  readonly choice: ThemeChoice;
  readonly dark: boolean;
}

const useChosenTheme = create<Theme>(() => themeOf(storedChoice()));

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
  return useChosenTheme();
}

function followSystem(): () => void {
  const system = matchMedia(DARK);
  system.addEventListener('change', followOnce);
  followOnce();
  return () => system.removeEventListener('change', followOnce);
}

function followOnce(): void {
  const { choice, dark } = useChosenTheme.getState();
  const next = themeOf(choice);
  if (next.dark !== dark) show(next);
}

function show(theme: Theme): void {
  document.documentElement.setAttribute('data-theme', theme.dark ? 'dark' : 'light');
  useChosenTheme.setState(theme);
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
