import { localeTag } from '../texts/locale';

/** Joins words, such as `a, b and c`. */
export function wordList(words: readonly string[]): string {
  return new Intl.ListFormat(localeTag(), { type: 'conjunction' }).format(words);
}

/** Returns the same instant in the user's time zone, such as `01:00 in Stockholm`, or null if that is UTC. */
export function localReading(iso: string): { time: string; place: string } | null {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const at = new Date(iso);
  if (at.getTimezoneOffset() === 0) return null;
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }).format(at);
  return { time, place: (timeZone.split('/').pop() ?? timeZone).replaceAll('_', ' ') };
}
