import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { jest } from '@jest/globals';
import type { ConsoleSettings, User } from '@moorage/contracts';
import { backupModes } from '@moorage/domain';
import { QueryClient } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { AdminContext } from 'react-admin';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { chooseLanguage } from '../data/account';
import { authProvider } from '../data/auth-provider';
import { dataProvider } from '../data/data-provider';
import { type ImpersonationSession, restoreSession, startSession } from '../data/session';
import { Notification } from '../app/notification';
import { lightTheme } from '../app/theme';
import { Toasts, useHasToasts } from '../ui/toasts';
import { useConsoleI18n } from '../texts/console-i18n';

/** Omits the theme's rules, because jsdom matches every element with every rule on each query by role. */
const withoutRules = createCache({ key: 'fixture' });
withoutRules.sheet.insert = () => undefined;

/** A request sent by the console. */
export interface SeenCall {
  readonly method: string;
  /** Path without `/api`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: Headers;
}

interface Reply {
  readonly status?: number;
  /** JSON, or a stream that is passed through. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Replies by route, such as `GET /billing/balance`. A function is called for each request, and a promise delays the
 * reply.
 */
export type Replies = Readonly<Record<string, Reply | ((call: SeenCall) => Reply | Promise<Reply>)>>;

/** Reply that arrives when its function is called. */
export function later(reply: Reply) {
  let answer = (): void => undefined;
  const answered = new Promise<Reply>((resolve) => {
    answer = () => resolve(reply);
  });
  return { reply: () => answered, answer: () => answer() };
}

export interface ConsoleFixture {
  /** All requests so far, in order. */
  readonly calls: readonly SeenCall[];
  /** Requests so far with this method and path. */
  readonly requested: (method: string, path: string) => SeenCall[];
  /** Current address of the router: path, query and hash. */
  readonly address: () => string;
  readonly queryClient: QueryClient;
  /** Adds or replaces replies. */
  readonly reply: (more: Replies) => void;
}

export const USER: User = {
  id: 7,
  username: 'mara.lindqvist',
  email: 'mara@northsea.example',
  is_admin: false,
  is_verified: true,
  pending_email: null,
  email_undeliverable: false,
  has_two_factor: false,
  language: 'en',
  balance: 34,
  created_at: '2026-10-02T09:11:00.000Z',
};

export const ADMIN: User = {
  ...USER,
  id: 1,
  username: 'erik.kovac',
  email: 'erik@moorage.example',
  is_admin: true,
};

/** The toasts, without their empty live regions, which every query by role would find. */
function ShownToasts() {
  return useHasToasts() ? <Toasts /> : null;
}

/** Renders a part of the logged-in side with the console's context and a table of replies as the server. */
export function showInConsole(
  children: ReactNode,
  {
    replies,
    at = '/',
    user = USER,
    impersonation,
  }: {
    replies: Replies;
    at?: string;
    user?: User;
    /** Impersonation stored in the tab when the page loads. */
    impersonation?: ImpersonationSession;
  },
): ConsoleFixture {
  let table = replies;
  const calls: SeenCall[] = [];
  const addresses = [at];
  startSession('a-token', user);
  if (impersonation !== undefined) {
    sessionStorage.setItem('view', JSON.stringify(impersonation));
    restoreSession();
  }
  globalThis.fetch = jest.fn<typeof fetch>(async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, 'http://moorage.test');
    const call: SeenCall = {
      method: init?.method ?? 'GET',
      path: url.pathname.replace(/^\/api/, ''),
      query: Object.fromEntries(url.searchParams),
      body: typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : (init?.body ?? null),
      headers: new Headers(init?.headers),
    };
    calls.push(call);
    const reply = await (call.path.endsWith('/setup') && !(`GET ${call.path}` in table)
      ? setupFrom(table, call)
      : replyFrom(table, call));
    const body = reply.body instanceof ReadableStream ? reply.body : JSON.stringify(reply.body ?? null);
    const response = new Response(body, {
      status: reply.status ?? 200,
      headers: { 'content-type': 'application/json', ...reply.headers },
    });
    // Parse in the page's realm, as in a browser. Node's parsed objects have other prototypes and never compare equal.
    response.json = async () => JSON.parse(await response.text()) as unknown;
    return response;
  });
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false }, mutations: { retry: false } } });

  function Where() {
    const { pathname, search, hash } = useLocation();
    addresses.push(pathname + search + hash);
    return null;
  }

  function ConsoleFixture() {
    const i18nProvider = useConsoleI18n(chooseLanguage);
    if (i18nProvider === null) return null;
    return (
      <AdminContext
        authProvider={authProvider}
        dataProvider={dataProvider}
        i18nProvider={i18nProvider}
        queryClient={queryClient}
        theme={lightTheme}
      >
        <Where />
        {children}
        <Notification />
        <ShownToasts />
      </AdminContext>
    );
  }

  render(
    <CacheProvider value={withoutRules}>
      <MemoryRouter initialEntries={[at]}>
        <ConsoleFixture />
      </MemoryRouter>
    </CacheProvider>,
  );
  return {
    calls,
    requested: (method, path) => calls.filter((call) => call.method === method && call.path === path),
    address: () => addresses.at(-1) ?? at,
    queryClient,
    reply(more) {
      table = { ...table, ...more };
    },
  };
}

async function replyFrom(table: Replies, call: SeenCall): Promise<Reply> {
  const found = table[`${call.method} ${call.path}`];
  if (found !== undefined) return typeof found === 'function' ? await found(call) : found;
  const detail = `The fixture has no answer for ${call.method} ${call.path}.`;
  return { status: 404, body: { detail, code: 'NOT_FOUND' } };
}

/** Replies with what the table has for a deployment, its progress and its records. The first failure is the reply. */
async function setupFrom(table: Replies, call: SeenCall): Promise<Reply> {
  const path = call.path.slice(0, -'/setup'.length);
  const [deployment, progress, dns] = await Promise.all(
    ['', '/progress', '/dns'].map((part) => replyFrom(table, { ...call, path: `${path}${part}` })),
  );
  const failed = [deployment, progress].find((reply) => (reply?.status ?? 200) >= 400);
  if (failed !== undefined) return failed;
  const hasDomain = (dns?.status ?? 200) < 400;
  return { body: { deployment: deployment?.body, progress: progress?.body, dns: hasDomain ? dns?.body : null } };
}

/** Settings of a live installation, where no test domain is reserved. */
export const settingsOf = (over: Partial<ConsoleSettings> = {}): ConsoleSettings => ({
  brand: { name: 'Moorage', tagline: '', support_email: '', intro_video_url: null },
  links: { terms: null, privacy: null, imprint: null, status: null, docs: null, forum: null, changelog: null },
  mode: 'demo',
  payments: 'stripe',
  mails: 'sent',
  clouds: 'live',
  backups: backupModes(() => 'real'),
  sandbox_domain: null,
  platform_domain: null,
  allowed_zones: ['example'],
  private_servers: false,
  checkout_max: 1_000,
  grace_period_minutes: 60,
  delete_undo_hours: 0,
  has_queue_board: false,
  client_key: null,
  ...over,
});

/** Waits for a button on the page, or in a part of it, and clicks it. */
export async function press(name: string | RegExp, part: Pick<typeof screen, 'findByRole'> = screen): Promise<void> {
  await userEvent.click(await part.findByRole('button', { name }));
}

/** Waits for the confirmation dialog with this heading and returns the queries of its content. */
export const dialog = async (name: string) => within(await screen.findByRole('alertdialog', { name }));

/** Returns the text of every cell of a table, by row and without the header. */
export async function cells(table: string): Promise<(string | null)[][]> {
  const [, ...rows] = within(await screen.findByRole('table', { name: table })).getAllByRole('row');
  return rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  );
}
