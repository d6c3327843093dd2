import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { leaveConsole, leavePage } from '../../testing/leave-console';
import {
  chooses,
  chosenIn,
  fills,
  forward,
  goesOn,
  goesTo,
  heading,
  openAt,
  openWizard,
  priceLines,
  steps,
  whyOff,
} from './testing';
import { packageOf } from '../../testing/packages';

const packageIs = (name: string) => waitFor(() => expect(screen.getByDisplayValue(name)).toBeChecked());

describe('wizard steps', () => {
  it('include provider, region and size only for a new server, and all steps before the choice', async () => {
    const wizard = await openAt('server');
    const short = ['Package', 'Server', 'Configuration', 'Support Level', 'Review'];
    const long = short.toSpliced(2, 0, 'Cloud Provider', 'Region', 'Instance Type');
    expect(steps()).toEqual(long);
    expect(
      within(screen.getByRole('navigation')).queryByRole('link', { name: 'Cloud Provider' }),
    ).not.toBeInTheDocument();
    await chooses(wizard, 'Your own server');
    expect(steps()).toEqual(short);
    await chooses(wizard, 'New server');
    expect(steps()).toEqual(long);
  });

  it('show the selection, and earlier steps link back', async () => {
    const wizard = await openAt('config');
    await waitFor(() =>
      expect(['Package', 'Server', 'Cloud Provider', 'Region', 'Instance Type'].map(chosenIn)).toEqual([
        'Pangolin',
        'New server',
        'Hetzner',
        'Falkenstein',
        'MIDDLE',
      ]),
    );
    await goesTo(wizard, 'Region');
    expect(heading()).toBe('Choose a region');
    expect(wizard.address()).toBe('/create-deployment?step=region');
    // Forward navigation is limited to where Next would go.
    await goesTo(wizard, 'Configuration');
    expect(heading()).toBe('Configuration');
    expect(within(screen.getByRole('navigation')).queryByRole('link', { name: 'Review' })).not.toBeInTheDocument();
  });

  it('move the focus to the heading on a step change', async () => {
    const wizard = await openAt('cloud');
    expect(document.body).toHaveFocus();
    await chooses(wizard, 'Hetzner');
    await goesOn(wizard, 'Choose a region');
    expect(document.activeElement?.textContent).toBe('Choose a region');
    await wizard.user.click(screen.getByText('Back'));
    expect(document.activeElement?.textContent).toBe('Choose a cloud provider');
  });

  it('can be completed in order, all eight of them', async () => {
    const wizard = openWizard();
    await screen.findByText('Choose a package');
    for (const [choice, next] of [
      ['Pangolin', 'Choose a server'],
      ['New server', 'Choose a cloud provider'],
      ['Hetzner', 'Choose a region'],
      ['Falkenstein', 'Choose an instance type'],
      ['MIDDLE', 'Configuration'],
    ] as const) {
      await chooses(wizard, choice);
      await goesOn(wizard, next);
    }
    await fills(wizard, 'Domain', 'harbour.example');
    await fills(wizard, 'Letsencrypt Email', 'mara@northsea.example');
    await goesOn(wizard, 'Choose a support level');
    await goesOn(wizard, 'Review');
    expect(whyOff()).toBeNull();
    expect(wizard.address()).toBe('/create-deployment?step=review');
  });

  it('correct an address of a step that is not available yet', async () => {
    const wizard = openWizard({ at: '/create-deployment?step=review' });
    await screen.findByText('Choose a package');
    await waitFor(() => expect(wizard.address()).toBe('/create-deployment?step=package'));
  });

  it('start with the package of a link, unless another is already selected', async () => {
    openWizard({ at: '/create-deployment?step=package&package=pangolin-plus' });
    await packageIs('pangolin-plus');
    leavePage();
    openWizard({ at: '/create-deployment?step=package&package=pangolin' });
    await packageIs('pangolin-plus');
    leaveConsole();
    openWizard({ at: '/create-deployment?step=package&package=nothing' });
    await screen.findByRole('radio', { name: /Pangolin\+/ });
    expect(screen.queryByRole('radio', { checked: true })).not.toBeInTheDocument();
  });

  it('select with Enter without advancing', async () => {
    const wizard = await openAt('region');
    const [, helsinki] = await screen.findAllByRole<HTMLInputElement>('radio');
    act(() => helsinki?.focus());
    await wizard.user.keyboard('{Enter}');
    expect(helsinki).toBeChecked();
    expect(heading()).toBe('Choose a region');
  });
});

describe('Next button', () => {
  it.each([
    ['package', 'Choose a package to continue.'],
    ['server', 'Choose a new server or your own to continue.'],
    ['cloud', 'Choose a cloud provider to continue.'],
    ['region', 'Choose a region to continue.'],
    ['instance', 'Choose an instance type to continue.'],
    ['config', 'Still needed: Domain, Letsencrypt Email.'],
  ] as const)('on "%s" is disabled with the reason: %s', async (step, why) => {
    const wizard = await openAt(step);
    await waitFor(() => expect(whyOff()).toBe(why));
    await wizard.user.click(forward());
    expect(wizard.address()).toBe(`/create-deployment?step=${step}`);
  });

  it("waits for the validation of the customer's own server", async () => {
    const wizard = await openAt('server');
    await chooses(wizard, 'Your own server');
    expect(whyOff()).toBe("Enter your server's IP address and validate it.");
    await fills(wizard, 'IP address', '5.9.3.1');
    expect(whyOff()).toBe('Validate your server to continue.');
  });

  it('marks missing values and focuses the first', async () => {
    const wizard = await openAt('config');
    expect(screen.queryByText('Domain is required.')).not.toBeInTheDocument();
    await wizard.user.click(forward());
    expect(screen.getByText('Domain is required.')).toBeInTheDocument();
    expect(screen.getByLabelText(/Domain/)).toHaveFocus();
  });

  it('does not advance with a value that the server would reject', async () => {
    const wizard = await openAt('config');
    await fills(wizard, 'Domain', 'not a domain');
    // Fields are not validated while they are first typed into.
    expect(screen.queryByText(/Enter a domain you own/)).not.toBeInTheDocument();
    await fills(wizard, 'Letsencrypt Email', 'mara@northsea.example');
    expect(screen.getByText(/Enter a domain you own/)).toBeInTheDocument();
    await waitFor(() => expect(whyOff()).toBeNull());
    await wizard.user.click(forward());
    expect(heading()).toBe('Configuration');
    expect(screen.getByLabelText(/Domain/)).toHaveFocus();
  });

  it('converts a pasted address to a domain', async () => {
    const wizard = await openAt('config');
    await fills(wizard, 'Domain', ' HTTPS://Harbour.Example/ ');
    await wizard.user.tab();
    expect(screen.getByLabelText(/Domain/)).toHaveValue('harbour.example');
    expect(screen.getByText("You'll reach it at https://admin.harbour.example")).toBeInTheDocument();
  });
});

describe('clearing later selections', () => {
  it('clears the size when the region changes, with a notice before and after', async () => {
    const wizard = await openAt('config');
    await goesTo(wizard, 'Region');
    expect(screen.getByText('Changing this resets: Instance Type.')).toBeInTheDocument();
    await chooses(wizard, 'Helsinki');
    expect(screen.getByText(/^Reset: Instance Type\./)).toBeInTheDocument();
    expect(chosenIn('Instance Type')).toBeNull();
  });

  it('clears nothing when the same region is selected again', async () => {
    const wizard = await openAt('config');
    await goesTo(wizard, 'Region');
    const falkenstein = await screen.findByDisplayValue('fsn1');
    act(() => falkenstein.focus());
    await wizard.user.keyboard('{Enter}');
    expect(chosenIn('Instance Type')).toBe('MIDDLE');
  });

  it('clears region and size when the provider changes', async () => {
    const wizard = await openAt('config');
    await goesTo(wizard, 'Cloud Provider');
    await chooses(wizard, 'Vultr');
    expect(screen.getByText(/^Reset: Region, Instance Type\./)).toBeInTheDocument();
    expect([chosenIn('Region'), chosenIn('Instance Type')]).toEqual([null, null]);
  });

  it('clears provider, region and size when an own server replaces a new server', async () => {
    const wizard = await openAt('config');
    await goesTo(wizard, 'Server');
    await chooses(wizard, 'Your own server');
    expect(screen.getByText(/^Reset: Cloud Provider, Region, Instance Type\./)).toBeInTheDocument();
    await chooses(wizard, 'New server');
    expect(['Cloud Provider', 'Region', 'Instance Type'].map(chosenIn)).toEqual([null, null, null]);
  });

  it.each([
    ['Package', 'Per day: from $0.26'],
    ['Server', 'Per day: $0.85'],
    ['Cloud Provider', 'Per day: from $0.26'],
    ['Region', 'Per day: from $0.26'],
    ['Instance Type', 'Per day: $0.85'],
  ])('going back to "%s" leaves the price at "%s" until the steps are completed again', async (step, line) => {
    const wizard = await openAt('config');
    await waitFor(() => expect(priceLines()).toContain('MIDDLE, Hetzner: $0.85'));
    await goesTo(wizard, step);
    expect(priceLines()).toContain(line);
    await goesTo(wizard, 'Configuration');
    await waitFor(() => expect(priceLines()).toContain('Per day: $0.85'));
  });

  it('clears only the price when the package changes', async () => {
    const wizard = await openAt('config', { draft: { domain: 'harbour.example' } });
    await goesTo(wizard, 'Package');
    await chooses(wizard, 'Pangolin+');
    await packageIs('pangolin-plus');
    expect(priceLines()).toContain('Per day: from $0.85');
    expect(['Cloud Provider', 'Region', 'Instance Type'].map(chosenIn)).toEqual(['Hetzner', 'Falkenstein', 'MIDDLE']);
    await goesTo(wizard, 'Configuration');
    expect(screen.getByLabelText('Domain')).toHaveValue('harbour.example');
  });
});

describe('sizes', () => {
  it('that are too small are visible but disabled with a reason', async () => {
    const wizard = await openAt('instance', { draft: { package: 'pangolin-plus' } });
    const small = await screen.findByDisplayValue<HTMLInputElement>('small');
    await waitFor(() => expect(small).toBeDisabled());
    expect(small.closest('label')?.textContent).toContain(
      'SMALLToo small: Pangolin+ needs 2 processors and 4 GB of memory.',
    );
    await wizard.user.click(screen.getByText('$0.26'));
    expect(whyOff()).toBe('Choose an instance type to continue.');
    // A click anywhere in the row selects it.
    await wizard.user.click(screen.getByText('$46.30'));
    expect(screen.getByDisplayValue('large')).toBeChecked();
  });

  it('are sorted by price, and exactly one is recommended', async () => {
    await openAt('instance', { draft: { package: 'pangolin-plus' } });
    await screen.findByText('Recommended');
    expect([...document.querySelectorAll('.size b')].map((name) => name.textContent)).toEqual([
      'SMALL',
      'MIDDLE',
      'LARGE',
    ]);
    // Its manifest recommends 4 processors.
    expect(screen.getByText('Recommended').closest('label')?.textContent).toContain('LARGE');
  });

  it('cannot be ordered if selected before a change to a larger package', async () => {
    const wizard = await openAt('config', { draft: { instance_type: 'small' } });
    await goesTo(wizard, 'Package');
    await chooses(wizard, 'Pangolin+');
    await goesTo(wizard, 'Instance Type');
    await waitFor(() => expect(whyOff()).toBe('SMALL is too small for Pangolin+. Choose another instance type.'));
  });
});

describe('price summary', () => {
  it('shows the price per day, hour and month, the charge of today, and how long the balance lasts', async () => {
    const wizard = await openAt('support');
    await chooses(wizard, 'Professional (Level 2)');
    const card = screen.getByRole('region', { name: 'Price' });
    await waitFor(() =>
      expect(priceLines()).toEqual([
        'Pangolin: included',
        'MIDDLE, Hetzner: $0.85',
        'Professional (Level 2): $1.64',
        'Per day: $2.50',
      ]),
    );
    expect(within(card).getByText('$0.1041 an hour, $74.95 a month')).toBeInTheDocument();
    expect((await within(card).findByText('Tue 1 Dec')).tagName).toBe('S');
    expect(within(card).getByText('Sun 29 Nov, 00:00 UTC')).toBeInTheDocument();
    expect(
      within(card).getByText(/^Today: \$1.04 for the 10 hours left. Then \$2.50 each day at 00:00 UTC/),
    ).toBeInTheDocument();
  });

  it('shows that the forecast failed and retries on request', async () => {
    const wizard = await openAt('instance', {
      more: { 'POST /deployments/pricing/calculate': { status: 503, body: { detail: 'Later.' } } },
    });
    await chooses(wizard, 'MIDDLE');
    expect(await screen.findByText('Failed to calculate pricing')).toBeInTheDocument();
    wizard.reply({
      'POST /deployments/pricing/calculate': {
        body: {
          hourly_cost: 1,
          daily_cost: 24,
          monthly_cost: 720,
          breakdown: { instance_cost: 24, support_cost: 0, byovps_management_fee: 0 },
          server: null,
        },
      },
    });
    await wizard.user.click(screen.getByRole('button', { name: 'Try again now' }));
    await waitFor(() => expect(priceLines()).toContain('Per day: $24.00'));
  });

  it('shows the missing amount as the button if the balance is too low', async () => {
    await openAt('review', {
      more: {
        'GET /billing/runway': ({ query }) => ({
          body: {
            ends_at: null,
            running: 0,
            now: '2026-11-21T14:18:48.000Z',
            order_today: 1,
            order_refusal:
              query.order_hourly === undefined
                ? null
                : { code: 'BALANCE_TOO_LOW', detail: '', needed: 4.99, available: 1.239, owed: 0 },
          },
        }),
      },
    });
    const card = screen.getByRole('region', { name: 'Price' });
    expect(
      await within(card).findByText('This needs $4.99, and $1.23 is available. Add $3.76 or more.'),
    ).toBeInTheDocument();
    expect(within(card).getByRole('button', { name: 'Add $3.76' })).toBeInTheDocument();
    // The link opens the form, which allows larger amounts and returns to the order.
    expect(within(card).getByRole('link', { name: 'Other amount' })).toHaveAttribute(
      'href',
      expect.stringMatching(/^\/billing\?amount=4&return_to=order&order_hourly=0\.\d+#add$/),
    );
    expect(whyOff()).toBe('Your balance is too low.');
  });
});

describe('lists that fail to load', () => {
  it('show the error and retry', async () => {
    const wizard = openWizard({
      more: { 'GET /deployments/packages': { status: 503, body: { detail: 'We will be back soon.' } } },
    });
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to fetch packagesWe will be back soon.');
    wizard.reply({
      'GET /deployments/packages': {
        body: [packageOf('pangolin', 'Pangolin')],
      },
    });
    await wizard.user.click(screen.getByRole('button', { name: 'Try again now' }));
    expect(await screen.findByRole('radio', { name: /Pangolin/ })).toBeInTheDocument();
  });
});
