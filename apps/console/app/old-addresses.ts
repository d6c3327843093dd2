import { plainPath } from '../data/addresses';

/** Filters that were parameters of the inbox, by their names in its list. */
const INBOX_FILTERS = {
  state: 'state',
  assigned_to: 'assigned_to',
  kind: 'kind',
  level: 'level',
  user_id: 'user_id',
  search: 'q',
};

/** Returns the address to which a screen has moved, or null. Emails and bookmarks keep the old ones. */
export function movedTo(path: string, search: string): string | null {
  const query = new URLSearchParams(search);
  switch (plainPath(path)) {
    case '/support-inbox': {
      const conversation = query.get('conversation');
      return conversation === null
        ? filteredList('/support-inbox', query, INBOX_FILTERS)
        : `/support-inbox/${encodeURIComponent(conversation)}`;
    }
    default:
      return null;
  }
}

/** Returns the address of a list with these parameters as its filters, or null if there are none. */
function filteredList(path: string, query: URLSearchParams, filters: Readonly<Record<string, string>>): string | null {
  const chosen = Object.entries(filters).flatMap(([name, filter]) => {
    const value = query.get(name);
    return value === null || value === '' ? [] : [[filter, value] as const];
  });
  if (chosen.length === 0) return null;
  const list = new URLSearchParams({ filter: JSON.stringify(Object.fromEntries(chosen)) });
  const page = query.get('page');
  if (page !== null) list.set('page', page);
  return `${path}?${list.toString()}`;
}
