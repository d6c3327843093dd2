import { isId, plainPath } from '../data/addresses';

/** Filters that were parameters of the inbox, by their names in its list. */
const INBOX_FILTERS = {
  state: 'state',
  assigned_to: 'assigned_to',
  kind: 'kind',
  level: 'level',
  user_id: 'user_id',
  search: 'q',
};

/** The list for administrators and its records. The addresses below a deployment are those of its owner. */
const ADMIN_DEPLOYMENTS = /^\/deployments(\/[^/]+\/show)?$/;

/** Returns the address to which a screen has moved, or null. Emails and bookmarks keep the old ones. */
export function movedTo(path: string, search: string): string | null {
  const query = new URLSearchParams(search);
  const plain = plainPath(path);
  switch (plain) {
    case '/support-inbox': {
      const conversation = query.get('conversation');
      return conversation === null || !isId(conversation)
        ? filteredList('/support-inbox', query, INBOX_FILTERS)
        : `/support-inbox/${conversation}`;
    }
    case '/admin-referrals':
      return review(query);
    default:
      return ADMIN_DEPLOYMENTS.test(plain) ? `/admin-${plain.slice(1)}${search}` : null;
  }
}

/** Each tab of the administration of referrals is a list with its own address. */
function review(query: URLSearchParams): string | null {
  const tab = query.get('tab');
  if (tab === 'clusters')
    return `/admin-referrals/clusters${query.get('by') === 'mail_domain' ? '?by=mail_domain' : ''}`;
  if (tab === 'referrals' || tab === 'requests') {
    const path = `/admin-referrals/${tab === 'referrals' ? 'referrals' : 'credit-requests'}`;
    return filteredList(path, query, { state: 'state' }) ?? path;
  }
  const credits = filteredList('/admin-referrals', query, { network: 'network', mail_domain: 'mail_domain' });
  return credits ?? (tab === null ? null : '/admin-referrals');
}

/** Returns the address of a list with these parameters as its filters and order, or null if there are none. */
function filteredList(path: string, query: URLSearchParams, filters: Readonly<Record<string, string>>): string | null {
  const chosen = Object.entries(filters).flatMap(([name, filter]) => {
    const value = query.get(name);
    return value === null || value === '' ? [] : [[filter, value] as const];
  });
  const [sort, order, page] = [query.get('sort_by'), query.get('sort_order'), query.get('page')];
  if (chosen.length === 0 && sort === null) return null;
  const list = new URLSearchParams({ filter: JSON.stringify(Object.fromEntries(chosen)) });
  if (sort !== null) {
    list.set('sort', sort);
    list.set('order', order === 'asc' ? 'ASC' : 'DESC');
  }
  if (page !== null) list.set('page', page);
  return `${path}?${list.toString()}`;
}
