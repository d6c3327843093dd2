import type { ActivityAnswer, ActivityKind } from '@moorage/contracts';
import { api } from './api';

const FILE_PAGE_SIZE = 100;
/** Maximum number of pages in an exported file. Older entries are only on the page. */
const FILE_PAGES_MAX = 50;

/** Loads the newest 5 000 entries of a kind for an export. */
export async function wholeActivity(kind: ActivityKind | null): Promise<ActivityAnswer[]> {
  const rows: ActivityAnswer[] = [];
  for (let page = 1; page <= FILE_PAGES_MAX; page++) {
    const answer = await api('GET /users/self/activity', { query: { kind, page, per_page: FILE_PAGE_SIZE } });
    rows.push(...answer.activity);
    if (!answer.has_next) break;
  }
  return rows;
}
