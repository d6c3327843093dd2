import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { USER } from '../../testing/console-fixture';
import { leavePage } from '../../testing/leave-console';
import { type Driven, fills, forward, goesOn, heading, openAt, openWizard, priceLines, whyOff } from './testing';

const CREATE = 'POST /deployments';
const orders = ({ requested }: Driven) => requested('POST', '/deployments');
const isOn = () => waitFor(() => expect(whyOff()).toBeNull());

describe('Create Deployment', () => {
  it('sends the draft once with its names and opens the deployment', async () => {
    const wizard = await openAt('review', {
      more: { [CREATE]: { status: 201, body: { id: 1053 } } },
      draft: { traefik_subdomain: ' traefik ', logs_subdomain: 'typed-for-another-package' },
    });
    expect(forward().textContent).toBe('Create Deployment');
    await isOn();
    await wizard.user.click(forward());
    await waitFor(() => expect(wizard.address()).toBe('/dashboard?deployment=1053'));
    const [order] = orders(wizard);
    expect(order?.headers.get('idempotency-key')).toBe('one-order');
    expect(order?.body).toEqual(
      expect.objectContaining({
        package: 'pangolin',
        server_type: 'new',
        cloud_provider: 'hetzner',
        region: 'fsn1',
        instance_type: 'middle',
        support_level: 1,
        domain: 'harbour.example',
        admin_email: 'mara@northsea.example',
        admin_subdomain: 'admin',
        traefik_subdomain: 'traefik',
        logs_subdomain: null,
        vps_ip_address: null,
        client_name: 'mara-pangolin-600123',
        client_id: 'marapangolin600123',
        postgres_host: 'pangolin-postgres',
        github_repo: '',
      }),
    );
    expect(sessionStorage.getItem('draft')).toBeNull();
  });

  it('warns before a charge that another deployment has the same address', async () => {
    const other = { id: 7, user_id: USER.id, client_name: 'harbour-site', status: 'READY' };
    const at = (domain: string, admin_subdomain: string, more = {}) => ({ ...other, domain, admin_subdomain, ...more });
    await openAt('review', {
      more: {
        'GET /deployments': {
          body: [
            at('harbour.example', 'www', { client_name: 'another-subdomain' }),
            at('harbour.example', 'admin', { client_name: 'somebody-elses', user_id: USER.id + 1 }),
            at('harbour.example', 'admin', { client_name: 'gone', status: 'DESTROYED' }),
            at('harbour.example', 'admin'),
          ],
        },
      },
    });
    expect((await screen.findByText(/already uses/)).textContent).toMatch(
      /^harbour-site already uses admin\.harbour\.example\./,
    );
  });

  it('sends a single order after a double click', async () => {
    let answer: (reply: { status: number; body: unknown }) => void = () => undefined;
    const wizard = await openAt('review', {
      more: { [CREATE]: () => new Promise((resolve) => (answer = resolve)) },
    });
    await isOn();
    await wizard.user.dblClick(forward());
    await wizard.user.click(forward());
    expect(forward().textContent).toBe('Creating...');
    expect(orders(wizard)).toHaveLength(1);
    answer({ status: 201, body: { id: 5 } });
    await waitFor(() => expect(wizard.address()).toBe('/dashboard?deployment=5'));
    expect(orders(wizard)).toHaveLength(1);
  });

  it('sends the same order with the same key after a lost response and a reload', async () => {
    const lost = await openAt('review', {
      more: { [CREATE]: { status: 503, body: { detail: 'We will be back soon.' } } },
    });
    await isOn();
    await lost.user.click(forward());
    expect((await screen.findByText('Failed to create deployment')).closest('[role=alert]')?.textContent).toContain(
      'We will be back soon.',
    );
    leavePage();
    const again = openWizard({ more: { [CREATE]: { status: 201, body: { id: 9 } } } });
    await screen.findByText('Review', { selector: 'h1' });
    await isOn();
    await again.user.click(forward());
    await waitFor(() => expect(again.address()).toBe('/dashboard?deployment=9'));
    const [first, second] = [...orders(lost), ...orders(again)];
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'));
  });

  it('does not become a second order when changed after the first succeeded', async () => {
    const wizard = await openAt('review', {
      more: { [CREATE]: { status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED', detail: 'Used.' } } },
    });
    await isOn();
    await wizard.user.click(forward());
    const link = await screen.findByText('Go to Dashboard');
    expect(link).toHaveAttribute('href', '/dashboard');
    expect(whyOff()).toBe("This order was already placed. You'll find the deployment on the dashboard.");
    await wizard.user.click(forward());
    expect(orders(wizard)).toHaveLength(1);
  });

  it('is disabled for an unverified account, which can read everything and request another email', async () => {
    const wizard = await openAt('review', {
      user: { ...USER, is_verified: false },
      more: { 'POST /users/resend-verification': { body: { message: 'Verification email sent' } } },
    });
    expect(await screen.findByText('New server at Hetzner')).toBeInTheDocument();
    await waitFor(() =>
      expect(whyOff()).toBe('Verify your email address first. The link is in the email we sent you.'),
    );
    await wizard.user.click(forward());
    expect(orders(wizard)).toHaveLength(0);
    await wizard.user.click(screen.getByRole('button', { name: 'Resend Email' }));
    await waitFor(() =>
      expect(wizard.calls.filter(({ path }) => path === '/users/resend-verification')).toHaveLength(1),
    );
  });
});

describe('changed price', () => {
  const changed = {
    status: 409,
    body: { code: 'PRICE_CHANGED', detail: 'The price has changed.', expected_hourly_cost: 0.0356, hourly_cost: 0.04 },
  };
  const price = (hourly: number) => ({
    hourly_cost: hourly,
    daily_cost: hourly * 24,
    monthly_cost: hourly * 720,
    breakdown: { instance_cost: hourly * 24, support_cost: 0, byovps_management_fee: 0 },
    server: null,
  });

  it('is shown beside the previous price and ordered with the next click', async () => {
    let hourly = 0.0356;
    const replies = [changed, { status: 201, body: { id: 77 } }];
    const wizard = await openAt('review', {
      more: {
        'POST /deployments/pricing/calculate': () => ({ body: price(hourly) }),
        [CREATE]: () => {
          hourly = 0.04;
          return replies.shift() ?? { status: 500 };
        },
      },
    });
    await isOn();
    await wizard.user.click(forward());
    const note = (await screen.findByText('The price has changed')).closest('[role=alert]');
    expect(note?.textContent).toContain('$0.85 a day before, $0.96 a day now. Nothing was ordered.');
    expect(priceLines()).toContain('Per day: $0.96');
    await isOn();
    await wizard.user.click(forward());
    await waitFor(() => expect(wizard.address()).toBe('/dashboard?deployment=77'));
    const sent = orders(wizard);
    expect(sent.map(({ body }) => (body as { expected_hourly_cost: number }).expected_hourly_cost)).toEqual([
      0.0356, 0.04,
    ]);
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  });

  it('is shown exactly if it differs by less than a cent', async () => {
    let hourly = 0.0356;
    const wizard = await openAt('review', {
      more: {
        'POST /deployments/pricing/calculate': () => ({ body: price(hourly) }),
        [CREATE]: () => {
          hourly = 0.0355;
          return changed;
        },
      },
    });
    await isOn();
    await wizard.user.click(forward());
    expect(await screen.findByText(/^\$0\.854400 a day before, \$0\.852000 a day now/)).toBeInTheDocument();
  });

  it('is reported like other rejections if it is unavailable', async () => {
    let known = true;
    const wizard = await openAt('review', {
      more: {
        'POST /deployments/pricing/calculate': () =>
          known ? { body: price(0.0356) } : { status: 503, body: { detail: 'We will be back soon.' } },
        [CREATE]: () => {
          known = false;
          return changed;
        },
      },
    });
    await isOn();
    await wizard.user.click(forward());
    expect((await screen.findByText('Failed to create deployment')).closest('[role=alert]')?.textContent).toContain(
      'The price has changed.',
    );
  });
});

describe('rejected order', () => {
  const refusal = (code: string, status: number, errors: { path: string; message: string }[], more: object = {}) => ({
    [CREATE]: { status, body: { code, detail: errors[0]?.message ?? 'No.', errors, ...more } },
  });

  it('opens the step of a rejected field, shows the message and focuses the field', async () => {
    const wizard = await openAt('review', {
      more: refusal('FIELDS_INVALID', 422, [
        { path: 'admin_email', message: 'This mailbox is not taken.' },
        { path: 'support_level', message: 'Not here.' },
      ]),
    });
    await isOn();
    await wizard.user.click(forward());
    expect(await screen.findByText('This mailbox is not taken.')).toBeInTheDocument();
    expect(heading()).toBe('Configuration');
    await waitFor(() => expect(screen.getByLabelText(/Letsencrypt Email/)).toHaveFocus());
    await fills(wizard, 'Letsencrypt Email', '.org');
    expect(screen.queryByText('This mailbox is not taken.')).not.toBeInTheDocument();
    await goesOn(wizard, 'Choose a support level');
    expect(screen.getByText('Not here.')).toBeInTheDocument();
  });

  it('opens the sizes if the size was rejected', async () => {
    const wizard = await openAt('review', {
      more: refusal('FIELDS_INVALID', 422, [
        { path: 'instance_type', message: 'This region has no such instance type.' },
      ]),
    });
    await isOn();
    await wizard.user.click(forward());
    expect(await screen.findByText('This region has no such instance type.')).toBeInTheDocument();
    expect(heading()).toBe('Choose an instance type');
  });

  it('links to add funds if the balance is too low', async () => {
    const wizard = await openAt('review', {
      more: {
        [CREATE]: {
          status: 402,
          body: {
            code: 'BALANCE_TOO_LOW',
            detail: 'This needs 5.00 on your account.',
            needed: 5,
            available: 1,
            owed: 0,
          },
        },
      },
    });
    await isOn();
    await wizard.user.click(forward());
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('This needs 5.00 on your account.');
    expect(alert.querySelector('a')).toHaveAttribute('href', '/billing?amount=4&return_to=order#add');
  });
});

describe('review step', () => {
  it('shows the order with a link to change each part, and the duration', async () => {
    const wizard = await openAt('review');
    await screen.findByText('MIDDLE, 2 vCPU, 4 GB');
    expect(screen.getByText('Falkenstein, Germany')).toBeInTheDocument();
    expect(screen.getByText('harbour.example', { selector: 'dd' })).toBeInTheDocument();
    expect(screen.getByText("You aren't charged until it's running.")).toBeInTheDocument();
    expect(screen.getByText('Provisioning may take up to 5 minutes.')).toBeInTheDocument();
    expect(screen.getByText('SSL propagation may take up to 15 minutes.')).toBeInTheDocument();
    expect(document.body.textContent?.replaceAll('no backups', '')).not.toMatch(/backup/i);
    await wizard.user.click(screen.getByLabelText('Change Region'));
    expect(heading()).toBe('Choose a region');
  });
});
