import { jest } from '@jest/globals';
import { cleanup, render } from '@testing-library/react';
// Import all pages before the tests begin, because the first import is slow.
import './home';
import './pricing';
import './login';
import './signup';
import './forgot-password';
import './reset-password';
import './verify-email';
import './unsubscribe';
import './account-deactivated';
import './conversation';
import './success';
import './cancel';
import { endSession, startSession } from '../../data/session';
import { useAddress } from '../../data/navigation';
import { isPublicPath } from '../../data/addresses';
import { Toasts } from '../../ui/toasts';
import { forgetPrices } from '../../data/public-prices';
import { PublicSide } from '../../app/public-side';
import { storeTypedEmail } from './typed-email';

/** Request as received by the API. */
export interface Received {
  readonly path: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
}

type Reply = { status?: number; body: unknown } | Promise<{ status?: number; body: unknown }> | 'unreachable';
export type Replies = Readonly<Record<string, (received: Received) => Reply>>;

const PRICES = {
  minBalanceToDeploy: 5,
  minBalanceFirstDeployment: 4.99,
  byovpsDailyFee: 0.12,
  supportLevel2Daily: 1.764,
  supportLevel3Daily: 6.696,
  referrals_enabled: true,
};

export const MARA = {
  id: 7,
  username: 'mara.lindqvist',
  email: 'mara@example.com',
  is_admin: false,
  is_verified: true,
  pending_email: null,
  email_undeliverable: false,
  has_two_factor: false,
  language: 'en' as const,
  balance: 34,
  created_at: '2026-11-01T10:00:00.000Z',
};

/** API with replies by `METHOD /path` and 404 for everything else. Returns the received requests. */
export function serveApi(replies: Replies): Received[] {
  const received: Received[] = [];
  const known: Replies = {
    'GET /pricing': () => ({ body: PRICES }),
    'GET /deployments/packages': () => ({ body: [] }),
    'GET /deployments/cloud-providers': () => ({ body: [] }),
    'GET /auth/me': () => ({ body: MARA }),
    ...replies,
  };
  globalThis.fetch = jest.fn(async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const url = new URL(input instanceof Request ? input.url : input, location.origin);
    const call: Received = {
      path: url.pathname.replace('/api', '') + url.search,
      method: init.method ?? 'GET',
      headers: new Headers(init.headers),
      body: init.body == null ? '' : String(init.body as string | URLSearchParams),
    };
    received.push(call);
    const answer = known[`${call.method} ${url.pathname.replace('/api', '')}`]?.(call) ?? {
      status: 404,
      body: { detail: 'There is no such page.', code: 'NOT_FOUND' },
    };
    const reply = await answer;
    if (reply === 'unreachable') throw new TypeError('fetch failed');
    return new Response(JSON.stringify(reply.body), {
      status: reply.status ?? 200,
      headers: { 'content-type': 'application/json' },
    });
  });
  return received;
}

/** The public side as the product mounts it, with an empty page as the console. */
function PublicPages() {
  const { path } = useAddress();
  return (
    <>
      {isPublicPath(path) ? <PublicSide path={path} /> : null}
      <Toasts />
    </>
  );
}

/** Opens an address in a fresh browser: no input, and only the named user logged in. */
export function open(address: string, { as }: { as?: typeof MARA } = {}): void {
  cleanup();
  endSession();
  localStorage.clear();
  forgetPrices();
  storeTypedEmail('');
  if (as !== undefined) startSession('token-0', as);
  history.replaceState(null, '', address);
  render(<PublicPages />);
}
