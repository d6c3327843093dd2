/*
 * Short lists that last as long as the tab, in session storage, which a logout clears. If storage is disabled or full,
 * they last as long as the page.
 */

const inPage = new Map<string, string>();

export function readTabList(name: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(inPage.get(name) ?? sessionStorage.getItem(name) ?? '[]');
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

export function writeTabList(name: string, list: readonly unknown[]): void {
  const text = JSON.stringify(list);
  try {
    sessionStorage.setItem(name, text);
    inPage.delete(name);
  } catch {
    inPage.set(name, text);
  }
}

/** Clears the lists that exist only in memory, for a logout. */
export function forgetPageLists(): void {
  inPage.clear();
}
