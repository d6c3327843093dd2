import { describe, expect, it } from '@jest/globals';
import type { AdminOverviewAnswer, AttentionAnswer, ProviderAnswer } from '@moorage/contracts';
import { alertAdvice, alertMessage, ALERT_MESSAGES, ATTENTION_KINDS, ORDER_MESSAGES } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { isConsolePath } from '../../app/screens';
import { ADMIN, type Replies, showInConsole, USER } from '../../testing/console-fixture';
import OverviewPage from './overview-page';
import { placeOf } from './places';

const NOW = '2026-11-30T12:00:00.000Z';
const OVERVIEW = 'GET /admin/overview';

const matterOf = (over: Partial<AttentionAnswer> = {}): AttentionAnswer => ({
  kind: 'replies',
  urgency: 'today',
  count: 1,
  since: '2026-11-30T09:10:00.000Z',
  due_at: null,
  alert: null,
  ...over,
});
const alertOf = (kind: string, subjects: readonly string[] = []): AttentionAnswer =>
  matterOf({
    kind: 'alert',
    urgency: 'now',
    count: subjects.length + 2,
    alert: { kind, title: alertMessage(kind), advice: alertAdvice(kind), subjects: [...subjects] },
  });

const overviewOf = (over: Partial<AdminOverviewAnswer> = {}): AdminOverviewAnswer => ({
  now: NOW,
  period: '24h',
  attention: [],
  deployments: { running: 286, in_progress: 9, failed: 2 },
  money: { charged: 714.2, charged_before: 680.19, paid: 412, payments: 11, taken_back: 0 },
  signups: { created: 14, verified: 6, ordered: 3 },
  leaks_daily: 0,
  checks: {
    checked_at: '2026-11-30T11:58:00.000Z',
    is_late: false,
    audited_at: '2026-11-30T02:30:00.000Z',
    compared_at: null,
    daily_run: { day: '2026-11-30', finished_at: '2026-11-30T00:04:00.000Z' },
    transports: { events: 'postgresql', work: 'bull', troubles: [] },
  },
  slowest: [],
  failures: [],
  ...over,
});

const providerOf = (over: Partial<ProviderAnswer>): ProviderAnswer => ({
  provider: 'hetzner',
  display_name: 'Hetzner',
  mode: 'live',
  project: null,
  access: { state: 'proven', since: NOW },
  distrusted: null,
  paused_until: null,
  catalogue: null,
  check: null,
  last_error: null,
  credentials: null,
  servers: 212,
  cost_daily: 164.8,
  paid_daily: 198.4,
  margin_daily: 33.6,
  margin_percent: 17,
  ...over,
});

const NAMES: Replies = {
  'GET /deployments/packages': { body: [{ name: 'pangolin', display_name: 'Pangolin' }] },
  'GET /deployments/cloud-providers': { body: [{ name: 'hetzner', display_name: 'Hetzner' }] },
  'GET /deployments/regions/hetzner': { body: [{ name: 'hel1', display_name: 'Helsinki' }] },
};

const show = (
  over: Partial<AdminOverviewAnswer> = {},
  {
    providers = [providerOf({})],
    user = ADMIN,
    at = '/admin',
  }: { providers?: ProviderAnswer[]; user?: typeof ADMIN; at?: string } = {},
) =>
  showInConsole(<OverviewPage />, {
    replies: { ...NAMES, [OVERVIEW]: { body: overviewOf(over) }, 'GET /admin/providers': { body: providers } },
    at,
    user,
  });
const region = async (name: string) => within(await screen.findByRole('region', { name }));

describe('what needs attention', () => {
  it('is a list with the place where each is dealt with', async () => {
    show({
      attention: [
        matterOf({ urgency: 'now', count: 2, due_at: '2026-11-30T12:40:00.000Z' }),
        matterOf({ kind: 'unpaid_deployments', due_at: '2026-11-30T12:55:00.000Z' }),
        matterOf({ kind: 'leaks', urgency: 'later', count: 2 }),
      ],
      leaks_daily: 1.92,
    });
    const list = await region('Needs attention');
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Urgent: 2 conversations are waiting for a reply reply due today, 12:40 UTCAnswer',
      'Today: 1 unpaid deployment will be deleted first at today, 12:55 UTCShow',
      'When there is time: 2 resources at providers belong to no deployment since today, 09:10 UTC$1.92 a dayDecide',
    ]);
    expect(list.getByRole('link', { name: 'Answer: 2 conversations are waiting for a reply' })).toHaveAttribute(
      'href',
      '/support-inbox',
    );
  });

  it('says what to do about an alert, with its subjects and a link if the console has a page for it', async () => {
    show({ attention: [alertOf('delivery_parked', ['api', 'billing']), alertOf('provider_refused', ['hetzner'])] });
    const [parked, refused] = (await region('Needs attention')).getAllByRole('listitem');
    expect(parked?.textContent).toBe(
      'Urgent: Deliveries are parked. since today, 09:10 UTCList them with "ops parked:list", then retry or skip each.api, billing and 2 more',
    );
    expect(within(parked as HTMLElement).queryByRole('link')).not.toBeInTheDocument();
    expect(within(refused as HTMLElement).getByRole('link')).toHaveAttribute('href', '/providers');
  });

  it('may be nothing', async () => {
    show();
    expect((await region('Needs attention')).getByText('Nothing needs your attention right now.')).toBeInTheDocument();
  });

  it('leads to pages that exist', () => {
    const alerts = Object.keys(ALERT_MESSAGES).map((kind) => alertOf(kind));
    const others = ATTENTION_KINDS.filter((kind) => kind !== 'alert').map((kind) => matterOf({ kind }));
    const places = [...alerts, ...others].flatMap((matter) => placeOf(matter) ?? []);
    expect(places.length).toBeGreaterThan(20);
    for (const { to } of places) expect([to, isConsolePath(to.replace(/[?#].*/, ''))]).toEqual([to, true]);
    expect(placeOf(alertOf('toString'))).toBe(null);
  });
});

describe('figures', () => {
  const figures = async () =>
    within(await screen.findByRole('region', { name: 'Figures' })).getAllByText(/./, { selector: 'b' });

  it('are those of the period, with what they mean', async () => {
    show();
    await waitFor(async () =>
      expect((await figures()).map(({ parentElement: figure }) => figure?.textContent)).toEqual([
        'Running2869 in progress, 2 failed',
        'Charged$714.20+5 % on the period before',
        'Paid in$412.0011 payments',
        'Margin17 %+$33.60 a day after provider costs',
        'Signups146 verified, 3 with a deployment',
        'LedgerBalancedAudited today, 02:30 UTC',
      ]),
    );
  });

  it('of another period are requested by a link, which keeps them in the address', async () => {
    const fixture = show();
    await userEvent.click(await screen.findByRole('link', { name: '7 days' }));
    await waitFor(() => expect(fixture.requested('GET', '/admin/overview').at(-1)?.query).toEqual({ period: '7d' }));
    expect(fixture.address()).toBe('/admin?period=7d');
  });

  it('say that the ledger does not balance, and leave out a margin of simulated servers', async () => {
    show({ attention: [alertOf('books_breached')] }, { providers: [providerOf({ mode: 'simulated' })] });
    await waitFor(async () =>
      expect((await figures()).map(({ textContent }) => textContent)).toEqual(
        expect.arrayContaining(['Not balanced', 'None']),
      ),
    );
  });
});

describe('providers', () => {
  it('show their state, cost and margin, without those that are off', async () => {
    show(
      {},
      {
        providers: [
          providerOf({}),
          providerOf({ provider: 'aws', display_name: 'AWS', access: { state: 'refused', since: NOW } }),
          providerOf({ provider: 'vultr', display_name: 'Vultr', mode: 'off', servers: 0 }),
        ],
      },
    );
    const table = await region('Providers');
    const rows = await table.findAllByRole('row');
    expect(rows.slice(1).map(({ textContent }) => textContent)).toEqual([
      'HetznerAvailable212$164.80$198.4017 %',
      'AWSCredentials refused212$164.80$198.4017 %',
    ]);
  });
});

describe('deployments', () => {
  const place = {
    deployment_id: 1053,
    client_name: 'harbour-lights',
    user_id: 7,
    username: 'mara.lindqvist',
    cloud_provider: 'hetzner',
    region: 'hel1',
  };

  it('that failed have their reason and their owner', async () => {
    show({
      failures: [
        { ...place, package: 'pangolin', failure: ORDER_MESSAGES.region_missing, at: '2026-11-29T18:02:00.000Z' },
      ],
    });
    const list = await region('Newest failures');
    await list.findByText(/Pangolin, Hetzner Helsinki/);
    expect(list.getByRole('listitem').textContent).toBe(
      `harbour-lights mara.lindqvist, Pangolin, Hetzner Helsinki${ORDER_MESSAGES.region_missing.detail}yesterday, 18:02 UTC`,
    );
    expect(list.getByRole('link', { name: 'harbour-lights' })).toHaveAttribute('href', '/admin-deployments/1053/show');
    expect(list.getByRole('link', { name: 'mara.lindqvist' })).toHaveAttribute('href', '/users/7/show');
  });

  it('that take long show their step and for how long', async () => {
    show({ slowest: [{ ...place, plan: 'create', step: 'wait-for-ssh', since: '2026-11-30T11:56:20.000Z' }] });
    const list = await region('Longest steps right now');
    expect(await list.findByText('Waiting for the server to respond, Hetzner Helsinki')).toBeInTheDocument();
    expect(list.getByText('3 min 40 s')).toBeInTheDocument();
  });
});

describe('checks', () => {
  it('show when they ran, and what is late or out of order', async () => {
    const { checks } = overviewOf();
    show({
      checks: {
        ...checks,
        is_late: true,
        transports: { events: 'kafka', work: 'bull', troubles: ['Kafka cannot be reached.'] },
      },
    });
    const list = await region('Checks');
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Stuck and late workLate',
      'Ledger audittoday, 02:30 UTC',
      'Daily chargesMon 30 Nov, finished today, 00:04 UTC',
      'Payments comparedNot yet',
      'EventsNot working properly',
      'Background workNot working properly',
    ]);
    expect(list.getByText('Kafka cannot be reached.')).toBeInTheDocument();
  });
});

describe('overview', () => {
  it('is for administrators only', async () => {
    const { requested } = show({}, { user: USER });
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    expect(requested('GET', '/admin/overview')).toEqual([]);
  });

  it('can be requested again after an error', async () => {
    const fixture = showInConsole(<OverviewPage />, {
      replies: { [OVERVIEW]: { status: 400, body: { detail: 'No.', code: 'BAD_REQUEST' } } },
      user: ADMIN,
    });
    await screen.findByText("The state of the platform couldn't be loaded.");
    fixture.reply({ [OVERVIEW]: { body: overviewOf() }, 'GET /admin/providers': { body: [] } });
    await userEvent.click(screen.getByRole('button', { name: 'Try again now' }));
    expect(await screen.findByText('Nothing needs your attention right now.')).toBeInTheDocument();
  });
});
