import type { AdminUserAnswer, ConversationState, InboxRow } from '@moorage/contracts';
import { CONSTANTS } from '@moorage/domain';
import { X } from 'lucide-react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useGetOne } from 'react-admin';
import { Link, useLocation } from 'react-router-dom';
import { Instant } from '../../ui/instant';
import { type Column, RecordTable } from '../../ui/record-table';
import { useReviews } from '../../data/admin-referrals';
import { useInbox, useInboxCounts } from '../../data/support-inbox';
import { useText } from '../../texts/console-i18n';
import { useListAddress } from '../../ui/list/list-address';
import { PageSummary, StateTabs } from '../../ui/list/page-summary';
import { SearchField } from '../../ui/list/search-field';
import { useTitle } from '../../ui/use-title';
import { Due, Writer } from './conversation-parts';
import { Button } from '../../ui/button';

const STATES: readonly [ConversationState, ...ConversationState[]] = ['open', 'answered', 'closed'];
const ASSIGNED = ['', 'me', 'nobody'] as const;
const KINDS = ['', 'contact', 'package'] as const;
const LEVELS = ['', '1', '2', '3'] as const;
const FILTERS = ['assigned_to', 'kind', 'level', 'user_id', 'search'] as const;

const linkId = (id: number): string => `conversation-${id}`;

/** Conversations in the order in which they should be answered. All filters are part of the address. */
export function InboxScreen() {
  const t = useText();
  useTitle(t('support_inbox.title'));
  const { oneOf, text, page, addressWith } = useListAddress();
  const { data: counts } = useInboxCounts();
  const state = oneOf('state', STATES);
  const person = userIn(text('user_id'));
  const inbox = useInbox({
    state,
    page,
    assigned_to: oneOf('assigned_to', ASSIGNED) || undefined,
    kind: oneOf('kind', KINDS) || undefined,
    level: oneOf('level', LEVELS) || undefined,
    user_id: person,
    search: text('search')?.slice(0, CONSTANTS.searchLengthMax),
  });
  const rows = inbox.data?.conversations;
  useFocusOfLast(rows);
  const isFiltered = FILTERS.some((name) => text(name) !== undefined);
  const columns: (Column<InboxRow> | null)[] = [
    {
      label: t('support_inbox.subject'),
      render: ({ id, kind, subject, deployment }) => (
        <span className="who">
          <Link
            className="name anywhere"
            id={linkId(id)}
            to={addressWith({ conversation: id, page: page === 1 ? undefined : page })}
          >
            {subject}
          </Link>
          {kind === 'package' ? <span className="tag">{t('support_inbox.package')}</span> : null}
          {deployment === null ? null : <span className="small muted anywhere">{deployment.client_name}</span>}
        </span>
      ),
    },
    state === 'open' ? { label: t('support_inbox.due'), render: (row) => <Due row={row} /> } : null,
    { label: t('support_inbox.level'), render: ({ level }) => t('support_inbox.levels.one', { level }) },
    { label: t('support_inbox.from'), render: (row) => <Writer row={row} /> },
    {
      label: t('support_inbox.assigned'),
      render: ({ assignee }) => assignee?.username ?? <span className="muted">{t('support_inbox.nobody')}</span>,
    },
    {
      label: t(state === 'open' ? 'support_inbox.waiting_since' : 'support_inbox.last'),
      render: ({ waiting_since: since, last_at: last }) => <Instant iso={since ?? last} />,
    },
  ];
  return (
    <main className="main support-inbox" id="content" tabIndex={-1}>
      <div className="title">
        <div className="grow">
          <h1>{t('support_inbox.title')}</h1>
          <CreditRequests />
        </div>
      </div>
      <StateTabs
        label={t('support_inbox.state')}
        chosen={state}
        tabs={STATES.map((value) => ({
          value,
          label: t(`support_inbox.states.${value}`),
          ...(value === 'open' ? { count: counts?.open, isMarked: (counts?.overdue ?? 0) > 0 } : {}),
        }))}
      />
      <div className="tools">
        <Search />
        <Filter
          name="assigned_to"
          label={t('support_inbox.assigned')}
          choices={ASSIGNED.map((value) => [value, t(`support_inbox.assigned_to.${value || 'anybody'}`)])}
        />
        <Filter
          name="kind"
          label={t('support_inbox.kind')}
          choices={KINDS.map((value) => [value, t(`support_inbox.kinds.${value || 'any'}`)])}
        />
        <Filter
          name="level"
          label={t('support_inbox.level')}
          choices={LEVELS.map((level) => [
            level,
            level === '' ? t('support_inbox.levels.any') : t('support_inbox.levels.one', { level }),
          ])}
        />
        {person === undefined ? null : <OfUser id={person} />}
      </div>
      <PageSummary
        query={inbox}
        pages={inbox.data}
        rows={rows}
        failed={t('support_inbox.failed')}
        empty={t(isFiltered ? 'support_inbox.none_found' : `support_inbox.none.${state}`)}
      >
        <RecordTable
          label={t('support_inbox.title')}
          rows={rows ?? []}
          columns={columns.filter((column) => column !== null)}
        />
      </PageSummary>
    </main>
  );
}

function userIn(text: string | undefined): number | undefined {
  const id = Number(text);
  return Number.isInteger(id) && id > 0 ? id : undefined;
}

/** Returns the focus to the link of the last conversation. */
function useFocusOfLast(rows: readonly InboxRow[] | undefined): void {
  const from = (useLocation().state as { from?: number } | null)?.from;
  const isThere = rows !== undefined;
  useLayoutEffect(() => {
    if (isThere && from !== undefined) document.getElementById(linkId(from))?.focus();
  }, [isThere, from]);
}

/** Link to pending requests for free credits, which are decided elsewhere. */
function CreditRequests() {
  const t = useText();
  const { data } = useReviews();
  const waiting = data?.requests ?? 0;
  if (waiting === 0) return null;
  return (
    <p>
      <Link to="/admin-referrals?tab=requests">{t('support_inbox.requests', { smart_count: waiting })}</Link>
    </p>
  );
}

function Filter({
  name,
  label,
  choices,
}: {
  name: string;
  label: string;
  choices: readonly (readonly [value: string, label: string])[];
}) {
  const { text, go } = useListAddress();
  const chosen = choices.find(([value]) => value === text(name))?.[0] ?? '';
  return (
    <span className="in">
      <select
        aria-label={label}
        value={chosen}
        onChange={({ target }) => go({ [name]: target.value === '' ? undefined : target.value })}
      >
        {choices.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </span>
  );
}

/** Search field that waits for a pause in typing. */
function Search() {
  const t = useText();
  const { text, go } = useListAddress();
  const requested = text('search') ?? '';
  const [typed, setTyped] = useState(requested);
  const [last, setLast] = useState(requested);
  // Back restores the previous search.
  if (last !== requested) {
    setLast(requested);
    if (typed.trim() !== requested) setTyped(requested);
  }
  useEffect(() => {
    const search = typed.trim();
    if (search === requested) return;
    const timer = setTimeout(
      () => go({ search: search === '' ? undefined : search }, { replace: true }),
      search === '' ? 0 : CONSTANTS.searchDebounceMs,
    );
    return () => clearTimeout(timer);
  }, [typed, requested, go]);
  return (
    <SearchField
      label={t('support_inbox.search')}
      placeholder={t('support_inbox.search_short')}
      value={typed}
      onChange={setTyped}
    />
  );
}

function OfUser({ id }: { id: number }) {
  const t = useText();
  const { go } = useListAddress();
  const { data } = useGetOne<AdminUserAnswer>('users', { id });
  return (
    <Button endIcon={X} onClick={() => go({ user_id: undefined })}>
      {t('support_inbox.of', { name: data?.username ?? `#${id}` })}
      <span className="vh">, {t('support_inbox.show_all')}</span>
    </Button>
  );
}
