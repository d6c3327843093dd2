import { CloudError } from '../cloud';
import { PAGES_MAX } from './cloud-http';

export interface Page<At, T> {
  readonly items: readonly T[];
  /** Position of the next page, or null after the last page. */
  readonly next: At | null;
}

/**
 * Reads a whole list. Throws if it does not end within PAGES_MAX pages, because a partial list could be mistaken for
 * the whole list.
 */
export async function everyPage<At, T>(
  list: string,
  first: At,
  fetchPage: (at: At) => Promise<Page<At, T>>,
): Promise<T[]> {
  const all: T[] = [];
  let at: At | null = first;
  for (let requested = 0; at !== null; requested++) {
    if (requested >= PAGES_MAX) throw new CloudError('transient', `${list}: the list has too many pages`);
    const page: Page<At, T> = await fetchPage(at);
    all.push(...page.items);
    at = page.next;
  }
  return all;
}
