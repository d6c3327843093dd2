import { useSyncExternalStore } from 'react';

export type ThemeChoice = 'light' | 'dark' | 'system';
export const THEME_CHOICES: readonly ThemeChoice[] = ['light', 'dark', 'system'];

const KEY = 'theme';
const DARK = '(prefers-color-scheme: dark)';

const listeners = new Set<() => void>();

/** Returns the user's theme. Light by default. */
export function themeChoice(): ThemeChoice {
  const stored = read();
  return THEME_CHOICES.find((choice) => choice === stored) ?? 'light';
}

export function chooseTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // If storage is disabled, the choice lasts as long as the page.
  }
  chosen = choice;
  apply();
  for (const listener of listeners) listener();
}

/** Returns the choice and the resulting theme. `system` follows changes of the operating system. */
export function useTheme(): { choice: ThemeChoice; dark: boolean } {
  const snapshot = useSyncExternalStore(subscribe, () => `${current()} ${isDark() ? 'dark' : 'light'}`);
  return { choice: current(), dark: snapshot.endsWith('dark') };
}

let chosen: ThemeChoice | undefined;
const current = (): ThemeChoice => (chosen ??= themeChoice());
const isDark = (): boolean => current() === 'dark' || (current() === 'system' && matchMedia(DARK).matches);

function apply(): void {
  document.documentElement.setAttribute('data-theme', isDark() ? 'dark' : 'light');
}

function subscribe(listener: () => void): () => void {
  const system = matchMedia(DARK);
  const changed = (): void => {
    apply();
    listener();
  };
  listeners.add(listener);
  system.addEventListener('change', changed);
  return () => {
    listeners.delete(listener);
    system.removeEventListener('change', changed);
  };
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
