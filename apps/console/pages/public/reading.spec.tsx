import { describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { showLocale } from '../../texts/locale';
import { lazy, Suspense } from 'react';
import { loadConsoleSettings } from '../../data/brand';
import { pages } from '../../data/navigation';
import { PageGuard } from '../../ui/page-guard';
import { showToast } from '../../ui/toasts';
import { afterLogin } from './after-login';
import { MARA, open, serveApi } from './testing';
import { packageOf } from '../../testing/packages';

const SETTINGS = {
  brand: {
    name: 'Moorage',
    tagline: 'Hosting.',
    support_email: 's@x.example',
    intro_video_url: 'https://video.example/e/1',
  },
  links: { terms: null, privacy: null, imprint: null, status: null, docs: null, forum: null, changelog: null },
  mode: 'demo',
  payments: 'test',
  clouds: 'sandbox',
  sandbox_domain: null,
  platform_domain: null,
  allowed_zones: [],
  private_servers: false,
  checkout_max: 1_000,
  grace_period_minutes: 60,
  delete_undo_hours: 0,
  has_queue_board: false,
  client_key: null,
};

describe('landing page', () => {
  it('offers sign-up, login and prices to a visitor, and lists the packages', async () => {
    serveApi({
      'GET /deployments/packages': () => ({
        body: [packageOf('pangolin', 'Pangolin', { description: '<b>Proxy</b>', from_daily: 0.2568 })],
      }),
    });
    open('/');
    await screen.findByRole('heading', { level: 1 });
    const main = within(screen.getByRole('main'));
    expect(main.getByRole('link', { name: 'Sign Up' })).toHaveAttribute('href', '/signup');
    expect(main.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
    expect(main.getByRole('link', { name: 'View Pricing' })).toHaveAttribute('href', '/pricing');
    expect(await screen.findByText('<b>Proxy</b>')).toBeInTheDocument();
    expect(screen.getByText('from $0.26 a day')).toBeInTheDocument();
  });

  it('describes a package in the selected language without a request on a change', async () => {
    const received = serveApi({
      'GET /deployments/packages': () => ({
        body: [packageOf('pangolin', 'Pangolin', { description: 'A proxy' })],
      }),
    });
    open('/');
    expect(await screen.findByText('A proxy')).toBeInTheDocument();
    const requested = received.length;
    await act(() => showLocale('de', { persist: false }));
    expect(screen.getByText('A proxy auf Deutsch')).toBeInTheDocument();
    expect(received).toHaveLength(requested);
  });

  it('shows no example that cannot be ordered here, and counts only existing packages', async () => {
    serveApi({
      'GET /deployments/packages': () => ({
        body: [packageOf('pangolin', 'Pangolin'), packageOf('netbird', 'NetBird')],
      }),
    });
    open('/');
    await screen.findByRole('link', { name: /NetBird/ });
    const lines = [...document.querySelectorAll('.preview .line .grow')].map((line) => line.textContent);
    expect(lines).toEqual(['Pangolin', 'NetBird', 'Pangolin']);
    expect(screen.getByRole('main').textContent).not.toMatch(/Coolify|Pangolin\+|Five packages/);
  });

  it('greets a logged-in user', async () => {
    serveApi({});
    open('/', { as: MARA });
    expect(await screen.findByText('Welcome back, mara.lindqvist!')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard');
    expect(screen.getByRole('link', { name: 'Create Deployment' })).toHaveAttribute('href', '/create-deployment');
    expect(screen.queryByRole('link', { name: 'Sign Up' })).not.toBeInTheDocument();
  });

  it('shows that the packages could not be loaded and retries', async () => {
    let down = true;
    serveApi({
      'GET /deployments/packages': () => (down ? 'unreachable' : { body: [packageOf('p', 'Pangolin')] }),
    });
    open('/');
    expect(await screen.findByText('Failed to fetch packages')).toBeInTheDocument();
    down = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again now' }));
    expect(await screen.findByRole('link', { name: 'Pangolin' })).toBeInTheDocument();
  });

  it('has no video unless configured, and loads it only on a click', async () => {
    serveApi({ 'GET /console/settings': () => ({ body: SETTINGS }) });
    open('/');
    await screen.findByRole('main');
    await act(() => loadConsoleSettings());
    const play = await screen.findByRole('button', { name: /Watch the introduction/ });
    expect(document.querySelector('iframe')).not.toBeInTheDocument();
    await userEvent.click(play);
    expect(document.querySelector('iframe')).toHaveAttribute('src', 'https://video.example/e/1');
  });
});

const FIVE = [
  packageOf('one', 'Harbour', { from_daily: 0.2568 }),
  packageOf('one-plus', 'Harbour+', { from_daily: 0.5 }),
  packageOf('two', 'Lighthouse', { from_daily: 0.3 }),
  packageOf('two-plus', 'Lighthouse+', { from_daily: 0.6 }),
  packageOf('two-ai', 'Lighthouse+AI', { from_daily: null }),
];

it.each(['/', '/pricing'])('%s shows all five packages of the catalogue with their lowest price', async (address) => {
  serveApi({ 'GET /deployments/packages': () => ({ body: FIVE }) });
  open(address);
  await screen.findByRole('link', { name: /Lighthouse\+AI/ });
  const rows = [...document.querySelectorAll('.pkgs > a')].map((row) => [
    row.querySelector('b')?.textContent,
    row.querySelector('.nowrap')?.textContent,
    row.querySelectorAll('svg.mark, .mark svg').length,
  ]);
  expect(rows).toEqual([
    ['Harbour', 'from $0.26 a day', 1],
    ['Harbour+', 'from $0.50 a day', 1],
    ['Lighthouse', 'from $0.30 a day', 1],
    ['Lighthouse+', 'from $0.60 a day', 1],
    ['Lighthouse+AI', '', 1],
  ]);
});

describe('pricing page', () => {
  it('shows the catalogue prices and what ten dollars buy', async () => {
    serveApi({
      'GET /deployments/cloud-providers': () => ({ body: [{ name: 'hetzner', display_name: 'Hetzner' }] }),
      'GET /deployments/regions/hetzner': () => ({
        body: [{ name: 'fsn1', display_name: 'Falkenstein', country_code: 'de' }],
      }),
      'GET /deployments/instance-types/hetzner/fsn1': () => ({
        body: [
          { name: 'cpx12', display_name: '', cpu: 1, memory: 2, hourly_cost: 0.0213, available: true },
          { name: 'cpx22', display_name: '', cpu: 2, memory: 4, hourly_cost: 0.0356, available: true },
        ],
      }),
    });
    open('/pricing');
    expect(await screen.findByText('For example 2 vCPU and 4 GB in Falkenstein: $0.85 a day.')).toBeInTheDocument();
    expect(await screen.findByText('$5.00')).toBeInTheDocument();
    expect(
      screen.getByText('Total on your own server: $1.76 a day with Professional, $6.70 a day with Enterprise.'),
    ).toBeInTheDocument();
    expect([...document.querySelectorAll('.buys dd')].map((each) => each.textContent)).toEqual([
      '83 days',
      '11 days',
      '4 days',
    ]);
  });

  it('marks live providers with fallback prices', async () => {
    const provider = (display_name: string, over: object) => ({
      name: display_name.toLowerCase(),
      display_name,
      ...over,
    });
    serveApi({
      'GET /deployments/cloud-providers': () => ({
        body: [
          provider('Hetzner', { simulated: false, prices: 'built_in', priced_at: '2026-11-19T08:00:00.000Z' }),
          provider('Vultr', { simulated: false, prices: 'built_in', priced_at: null }),
          provider('Linode', { simulated: false, prices: 'live', priced_at: '2026-11-21T08:00:00.000Z' }),
          provider('DigitalOcean', { simulated: true, prices: 'built_in', priced_at: null }),
        ],
      }),
    });
    open('/pricing');
    await screen.findByText(/^No prices from Vultr yet/);
    expect(screen.getAllByText(/^No prices from/).map((each) => each.textContent)).toEqual([
      'No prices from Hetzner since 19 Nov 2026, 08:00:00 UTC. Its prices here are from our own list.',
      'No prices from Vultr yet. Its prices here are from our own list.',
    ]);
  });

  it('falls back to the default prices when the call fails, and states that', async () => {
    const received = serveApi({ 'GET /pricing': () => 'unreachable' });
    open('/pricing');
    expect(await screen.findByText(/We couldn't load current prices/)).toBeInTheDocument();
    expect(screen.getByText('$5.00')).toBeInTheDocument();
    expect(screen.getByText(/\$1\.76 a day with Professional, \$6\.70 a day with Enterprise/)).toBeInTheDocument();
    expect(received.filter(({ path }) => path === '/pricing')).toHaveLength(1);
  });

  it('shows that it is loading', async () => {
    serveApi({ 'GET /pricing': () => new Promise(() => undefined) });
    open('/pricing');
    expect(await screen.findByText('Loading pricing information...')).toBeInTheDocument();
  });

  it('names all seven providers, offers backups only where available, and ends with the next step', async () => {
    serveApi({});
    open('/pricing');
    await screen.findByRole('heading', { level: 1 });
    const page = screen.getByRole('main').textContent;
    for (const name of [
      'AWS',
      'Microsoft Azure',
      'Google Cloud',
      'DigitalOcean',
      'Hetzner',
      'Linode (Akamai)',
      'Vultr',
    ]) {
      expect(page).toContain(name);
    }
    expect(page.replace('BackupsNo backups', '')).not.toMatch(/backup/i);
    expect(screen.getByRole('link', { name: 'Sign Up Free' })).toHaveAttribute('href', '/signup');
    open('/pricing', { as: MARA });
    expect(await screen.findByRole('link', { name: 'Create Deployment' })).toHaveAttribute(
      'href',
      '/create-deployment',
    );
  });
});

describe('toast', () => {
  it('closes after 3500 ms, but not while the pointer is on it', async () => {
    serveApi({});
    open('/cancel');
    await screen.findByRole('main');
    jest.useFakeTimers();
    act(() => showToast('Verification email sent', 'success'));
    act(() => jest.advanceTimersByTime(3_499));
    const toast = screen.getByText('Verification email sent');
    fireEvent.mouseEnter(toast.parentElement ?? toast);
    act(() => jest.advanceTimersByTime(10_000));
    expect(screen.getByText('Verification email sent')).toBeInTheDocument();
    fireEvent.mouseLeave(toast.parentElement ?? toast);
    act(() => jest.advanceTimersByTime(3_500));
    expect(screen.queryByText('Verification email sent')).not.toBeInTheDocument();
  });

  it('supports a custom title and duration', async () => {
    serveApi({});
    open('/cancel');
    await screen.findByRole('main');
    jest.useFakeTimers();
    act(() => showToast('Your key is on its way', 'info', { title: 'Mail', durationMs: 9_000 }));
    act(() => jest.advanceTimersByTime(8_999));
    expect(screen.getByText('Mail').parentElement?.textContent).toBe('MailYour key is on its way');
    act(() => jest.advanceTimersByTime(1));
    expect(screen.queryByText('Mail')).not.toBeInTheDocument();
  });
});

describe('target after the login', () => {
  it.each([
    ['/billing?user=kit&page=2', '/billing?user=kit&page=2'],
    [null, '/dashboard'],
    ['', '/dashboard'],
    ['/login', '/dashboard'],
    ['/', '/dashboard'],
    ['https://elsewhere.example/', '/dashboard'],
    ['//elsewhere.example/x', '/dashboard'],
    ['/\\elsewhere.example', '/dashboard'],
    ['/\t/elsewhere.example', '/dashboard'],
    ['javascript:alert(1)', '/dashboard'],
  ])('%j leads to %s', (next, to) => {
    expect(afterLogin(next, '/dashboard')).toBe(to);
  });
});

describe('German public pages', () => {
  it('are translated, including rules and rejections', async () => {
    serveApi({
      'POST /auth/login': () => ({
        status: 401,
        body: {
          detail: 'Incorrect email or password.',
          code: 'CREDENTIALS_WRONG',
          message_code: 'access.credentials_wrong',
          facts: {},
        },
      }),
    });
    open('/login');
    await userEvent.click(await screen.findByRole('button', { name: 'Deutsch' }));
    expect(document.documentElement.lang).toBe('de');
    await userEvent.type(await screen.findByLabelText('E-Mail'), 'mara@example.com');
    await userEvent.type(screen.getByLabelText('Passwort'), 'quay1{Enter}');
    expect(await screen.findByText('Das Passwort muss länger als 6 Zeichen sein')).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText('Passwort'), '23{Enter}');
    expect(await screen.findByText('E-Mail oder Passwort ist falsch.')).toBeInTheDocument();
  });
});

describe('page whose files do not load', () => {
  const showBroken = async (): Promise<void> => {
    const Broken = lazy(() => Promise.reject(new Error('Failed to fetch dynamically imported module')));
    render(
      <PageGuard>
        <Suspense>
          <Broken />
        </Suspense>
      </PageGuard>,
    );
    await screen.findByRole('heading', { name: "This page couldn't be loaded" });
  };

  it('shows an error and can be reloaded', async () => {
    const errors = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await showBroken();
    expect(screen.getByRole('button', { name: 'Try again now' })).toBeInTheDocument();
    errors.mockRestore();
  });

  it('reloads once the connection returns, if it failed without one', async () => {
    const errors = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const load = jest.spyOn(pages, 'load').mockImplementation(() => undefined);
    const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await showBroken();
    expect(load).not.toHaveBeenCalled();
    fireEvent(window, new Event('online'));
    expect(load).toHaveBeenCalledWith(location.href);
    for (const spy of [errors, load, online]) spy.mockRestore();
  });

  it('does not affect other pages', () => {
    const errors = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const Breaks = (): never => {
      throw new Error('This screen has a bug.');
    };
    const { rerender } = render(
      <PageGuard at="/billing">
        <Breaks />
      </PageGuard>,
    );
    expect(screen.getByRole('heading', { name: "This page couldn't be loaded" })).toBeInTheDocument();
    rerender(
      <PageGuard at="/dashboard">
        <h1>Manage Resources</h1>
      </PageGuard>,
    );
    expect(screen.getByRole('heading', { name: 'Manage Resources' })).toBeInTheDocument();
    errors.mockRestore();
  });
});
