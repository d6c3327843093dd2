import { CloudError } from '../cloud';
import { PAGES_MAX } from './cloud-http';

export interface Page<At, T> {
  readonly items: readonly T[];
  /** What the next page is asked for by; null: this was the last. */
  readonly next: At | null;
}

/** A whole list. One that does not end within PAGES_MAX pages is an error: part of a list would pass for all of it. */
export async function everyPage<At, T>(list: string, first: At, ask: (at: At) => Promise<Page<At, T>>): Promise<T[]> {
  const all: T[] = [];
  let at: At | null = first;
  for (let asked = 0; at !== null; asked++) {
    if (asked >= PAGES_MAX) throw new CloudError('transient', `${list}: the list has no end`);
    const page: Page<At, T> = await ask(at);
    all.push(...page.items);
    at = page.next;
  }
  return all;
}
