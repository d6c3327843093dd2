import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { type Replies, showInConsole } from '../../testing/console-fixture';
import { onPhone } from '../../testing/screen-size';
import { DataTable } from '../data-table';
import { List } from './list';
import { SearchInput } from './search-input';
import { TabsInput } from './tabs-input';

interface Customer {
  readonly id: number;
  readonly username: string;
  readonly email: string;
}

const PEOPLE: readonly Customer[] = [
  { id: 7, username: 'mara.lindqvist', email: 'mara@northsea.example' },
  { id: 8, username: 'erik.kovac', email: 'erik@northsea.example' },
];
const TEXTS = { title: 'People', failed: 'Failed to load people', empty: 'There are no people.' };
const TABS = (
  <TabsInput
    source="state"
    label="Filter by state"
    tabs={[
      { value: '', label: 'All' },
      { value: 'active', label: 'Active' },
    ]}
  />
);
const Column = DataTable.Col<Customer>;
const list = (rows: readonly Customer[]) => ({ body: rows, headers: { 'x-total-count': String(rows.length) } });

const show = (
  replies: Replies,
  { at = '/users', ...more }: Partial<Parameters<typeof List>[0]> & { at?: string } = {},
) =>
  showInConsole(
    <List resource="users" sort={{ field: 'id', order: 'ASC' }} {...TEXTS} {...more}>
      <DataTable<Customer>>
        <Column source="username" label="Name" render={({ username }) => username} />
        <Column label="Email" render={({ email }) => email} />
      </DataTable>
    </List>,
    { replies, at },
  );

describe('list with columns and texts only', () => {
  it('is a table without tools and paging, named like the window', async () => {
    show({ 'GET /users': list(PEOPLE) });
    const table = within(await screen.findByRole('table'));
    expect(table.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual(['Name', 'Email']);
    expect(table.getByText('erik@northsea.example')).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'People' })).toBeInTheDocument();
    expect(document.title).toBe('People · Moorage');
    expect(screen.queryByRole('searchbox')).not.toBeInTheDocument();
    expect(screen.queryByText('1 to 2 of 2')).not.toBeInTheDocument();
  });

  it('sorts only by sortable columns', async () => {
    const fixture = show({ 'GET /users': list(PEOPLE) });
    const table = within(await screen.findByRole('table'));
    expect(within(table.getByRole('columnheader', { name: 'Email' })).queryByRole('button')).not.toBeInTheDocument();
    const name = table.getByRole('columnheader', { name: 'Name' });
    expect(name).toHaveAttribute('aria-sort', 'none');
    fireEvent.click(within(name).getByRole('button'));
    await waitFor(() => expect(fixture.calls.at(-1)?.query).toMatchObject({ sort_by: 'username', sort_order: 'asc' }));
    expect(table.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
  });

  it('shows a card per row on a phone, with the first column on top', async () => {
    onPhone();
    show({ 'GET /users': list(PEOPLE) });
    expect((await screen.findAllByRole('listitem')).map((card) => card.textContent)).toEqual([
      'mara.lindqvistEmailmara@northsea.example',
      'erik.kovacEmailerik@northsea.example',
    ]);
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
  });

  it('shows an empty message', async () => {
    show({ 'GET /users': list([]) });
    expect((await screen.findByRole('status')).textContent).toBe('There are no people.');
  });

  it('shows the error, described by its texts if they define that, and keeps its rows', async () => {
    const broken = { status: 503, body: { detail: 'Not just now.', code: 'SERVICE_UNAVAILABLE' } };
    const fixture = show({ 'GET /users': broken }, { failed: (error) => error.message });
    expect((await screen.findByRole('alert')).textContent).toBe('Not just now.');
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
    fixture.reply({ 'GET /users': list(PEOPLE) });
    fireEvent.click(screen.getByRole('button', { name: 'Try again now' }));
    expect(await screen.findByText('mara.lindqvist')).toBeInTheDocument();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    fixture.reply({ 'GET /users': broken });
    await fixture.queryClient.invalidateQueries();
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    expect(screen.getByText('mara.lindqvist')).toBeInTheDocument();
  });
});

describe('list with tabs, search and pages', () => {
  it('applies the filter of a tab from the first page, and no filter for the first tab', async () => {
    const fixture = show(
      { 'GET /users': { body: PEOPLE, headers: { 'x-total-count': '45' } } },
      { filters: TABS, pageSizes: [20, 50], at: '/users?page=2&perPage=20' },
    );
    const tabs = within(await screen.findByRole('group', { name: 'Filter by state' }));
    const pressed = () => tabs.getAllByRole('button').map((tab) => tab.getAttribute('aria-pressed'));
    expect(pressed()).toEqual(['true', 'false']);
    await waitFor(() => expect(fixture.calls.at(-1)?.query).toMatchObject({ page: '2' }));
    fireEvent.click(tabs.getByRole('button', { name: 'Active' }));
    await waitFor(() => expect(fixture.calls.at(-1)?.query).toMatchObject({ state: 'active', page: '1' }));
    expect(pressed()).toEqual(['false', 'true']);
    fireEvent.click(tabs.getByRole('button', { name: 'All' }));
    await waitFor(() => expect(pressed()).toEqual(['true', 'false']));
    expect(fixture.address()).not.toContain('active');
  });

  it('shows the search text when nothing matches', async () => {
    const notFound = (search: string) => `Nobody is called ${search}`;
    show(
      { 'GET /users': list([]) },
      { notFound, filters: <SearchInput label="Search people" />, at: '/users?filter=%7B%22q%22%3A%22harbor%22%7D' },
    );
    expect((await screen.findByRole('status')).textContent).toBe('Nobody is called harbor');
    expect(screen.getByRole('searchbox', { name: 'Search people' })).toHaveValue('harbor');
  });
});

describe('list of an API that counts pages', () => {
  const REQUESTS = {
    'GET /support/referral-requests': {
      body: { requests: PEOPLE, total_pages: 9, current_page: 1, has_next: true, has_previous: false },
    },
  };

  it('links to its pages and keeps the filters', async () => {
    const fixture = show(REQUESTS, {
      resource: 'credit-requests',
      at: '/credit-requests?filter=%7B%22state%22%3A%22rejected%22%7D',
    });
    const pages = within(await screen.findByRole('navigation', { name: 'Pages' }));
    expect(pages.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['1', '2', '3', '4', '5', '']);
    fireEvent.click(pages.getByRole('link', { name: 'Next page' }));
    await waitFor(() => expect(fixture.calls.at(-1)?.query).toEqual({ state: 'rejected', page: '2' }));
  });

  it('has no links for a single page', async () => {
    const body = { requests: PEOPLE, total_pages: 1, current_page: 1, has_next: false, has_previous: false };
    show({ 'GET /support/referral-requests': { body } }, { resource: 'credit-requests' });
    await screen.findByRole('table');
    expect(screen.queryByRole('navigation', { name: 'Pages' })).not.toBeInTheDocument();
  });
});
