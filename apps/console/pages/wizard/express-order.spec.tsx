import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { rememberWantedPackage } from '../../data/wanted-package';
import { settingsOf, USER } from '../../testing/console-fixture';
import { configOf, type Driven, fills, forward, goesOn, heading, openWizard, whyOff } from './testing';

const CREATE = 'POST /deployments';
const PLACE = 'GET /deployments/suggested-place';
const created = { [CREATE]: { status: 201, body: { id: 1053 } } };
const orders = ({ requested }: Driven) => requested('POST', '/deployments');
const at = '/create-deployment';
const isOn = () => waitFor(() => expect(whyOff()).toBeNull());

const PLATFORM = { 'GET /console/settings': { body: settingsOf({ platform_domain: 'moorage.example' }) } };

/** Configuration of a package that needs a key from another service. */
const withKey = {
  'GET /deployments/packages/pangolin/config': {
    body: configOf('pangolin', {
      details: [
        {
          name: 'nlweb',
          description: '',
          description_texts: { en: '', de: '' },
          required_env: ['DOMAIN', 'EMAIL', 'OPENAI_API_KEY'],
          optional_env: ['ADMIN_PASSWORD'],
        },
      ],
    }),
  },
};

describe('express order', () => {
  it('is created with a package, a domain and one click', async () => {
    const order = openWizard({ at: `${at}?package=pangolin`, more: created });
    expect(await screen.findByText('MIDDLE')).toBeInTheDocument();
    expect(heading()).toBe('New deployment');
    expect(screen.getByText('Hetzner, Falkenstein, Germany')).toBeInTheDocument();
    expect(screen.getByText('The cheapest suitable server near you.')).toBeInTheDocument();
    expect(screen.getByText(USER.email)).toBeInTheDocument();
    expect(await screen.findByText('$0.85')).toBeInTheDocument();
    await waitFor(() => expect(whyOff()).toBe('Still needed: Domain.'));
    await fills(order, 'Domain', 'harbour.example');
    await isOn();
    await order.user.click(forward());
    await waitFor(() => expect(order.address()).toBe('/dashboard?deployment=1053'));
    expect(orders(order).map(({ body }) => body)).toEqual([
      expect.objectContaining({
        package: 'pangolin',
        server_type: 'new',
        cloud_provider: 'hetzner',
        region: 'fsn1',
        instance_type: 'middle',
        support_level: 1,
        domain: 'harbour.example',
        admin_email: USER.email,
        admin_password: null,
        expected_hourly_cost: 0.0356,
      }),
    ]);
  });

  it('first asks for the package, and can be changed to another', async () => {
    const order = openWizard({ at });
    await order.user.click(await screen.findByText('Pangolin', { selector: '.opt b' }));
    await screen.findByText('MIDDLE');
    await order.user.click(screen.getByLabelText('Change Package'));
    await order.user.click(await screen.findByText('Pangolin+', { selector: '.opt b' }));
    expect(await screen.findByText('Pangolin+', { selector: '.xr b' })).toBeInTheDocument();
    expect(screen.queryByText('With CrowdSec', { selector: '.opt .soft' })).not.toBeInTheDocument();
  });

  it('starts with the package chosen before the signup, until it is ordered', async () => {
    rememberWantedPackage('pangolin-plus');
    const order = openWizard({ at, more: created });
    expect(await screen.findByText('Pangolin+', { selector: '.xr b' })).toBeInTheDocument();
    await fills(order, 'Domain', 'harbour.example');
    await isOn();
    await order.user.click(forward());
    await waitFor(() => expect(orders(order)).toHaveLength(1));
    await waitFor(() => expect(localStorage.getItem('moorage:package')).toBeNull());
  });

  it('opens the steps of the wizard with the same choices, and returns from them', async () => {
    const order = openWizard({ at: `${at}?package=pangolin` });
    await screen.findByText('MIDDLE');
    await fills(order, 'Domain', 'harbour.example');
    await order.user.click(screen.getByRole('link', { name: 'Change size' }));
    await screen.findByText('Choose an instance type', { selector: 'h1' });
    await order.user.click(await screen.findByText('LARGE'));
    await order.user.click(screen.getByRole('link', { name: 'Back to the order' }));
    expect(await screen.findByText('LARGE')).toBeInTheDocument();
    expect(screen.queryByText('The cheapest suitable server near you.')).not.toBeInTheDocument();
    expect(await screen.findByText('$1.54')).toBeInTheDocument();
    await order.user.click(screen.getByRole('link', { name: 'Choose step by step' }));
    await screen.findByText('Choose a package', { selector: 'h1' });
    await goesOn(order, 'Choose a server');
    await goesOn(order, 'Choose a cloud provider');
  });

  it('asks for keys of other services, and shows what is wrong with them at Create', async () => {
    const order = openWizard({ at: `${at}?package=pangolin`, more: { ...withKey, ...created } });
    await screen.findByText('MIDDLE');
    await fills(order, 'Domain', 'harbour.example');
    await waitFor(() => expect(whyOff()).toBe('Still needed: OpenAI API Key.'));
    expect(screen.getByRole('link', { name: /platform\.openai\.com/ })).toHaveAttribute(
      'href',
      'https://platform.openai.com/api-keys',
    );
    await fills(order, 'OpenAI API Key', 'not a key');
    await isOn();
    await order.user.click(forward());
    await waitFor(() => expect(screen.getByLabelText('OpenAI API Key')).toHaveAttribute('aria-invalid', 'true'));
    expect(orders(order)).toHaveLength(0);
  });

  it('opens the step of a wrong value that it does not show', async () => {
    const order = openWizard({ at: `${at}?package=pangolin`, more: created });
    await screen.findByText('MIDDLE');
    await fills(order, 'Domain', 'harbour.example');
    await order.user.click(screen.getByRole('link', { name: 'Change Sign-in' }));
    await fills(order, 'Traefik Subdomain', 'not a name');
    await order.user.click(screen.getByRole('link', { name: 'Back to the order' }));
    await screen.findByText('MIDDLE');
    await isOn();
    await order.user.click(forward());
    await waitFor(() => expect(heading()).toBe('Configuration'));
    expect(orders(order)).toHaveLength(0);
  });

  it('moves through the packages with arrow keys, and takes one with Enter', async () => {
    const order = openWizard({ at });
    const first = await screen.findByRole('radio', { name: /^Pangolin Reverse/ });
    first.focus();
    await order.user.keyboard('{ArrowDown}');
    expect(screen.getByRole('radio', { name: /With CrowdSec/ })).toHaveFocus();
    expect(screen.queryByText('MIDDLE')).not.toBeInTheDocument();
    await order.user.keyboard('{Enter}');
    expect(await screen.findByText('Pangolin+', { selector: '.xr b' })).toBeInTheDocument();
  });

  it('says so if no server is available, and leads to the others', async () => {
    openWizard({
      at: `${at}?package=pangolin`,
      more: { [PLACE]: { body: { place: null } } },
    });
    expect((await screen.findByText(/No suitable server/)).closest('[role=alert]')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Choose another server' })).toHaveAttribute('href', `${at}?step=server`);
  });

  it('offers to try again if the search for a server failed', async () => {
    const order = openWizard({
      at: `${at}?package=pangolin`,
      more: { [PLACE]: { status: 503, body: { detail: 'No.' } } },
    });
    expect(await screen.findByText("We couldn't look for a server.")).toBeInTheDocument();
    expect(screen.queryByText(/No suitable server/)).not.toBeInTheDocument();
    order.reply({
      [PLACE]: { body: { place: { cloud_provider: 'hetzner', region: 'hel1', instance_type: 'small', near: true } } },
    });
    await order.user.click(screen.getByRole('button', { name: 'Try again now' }));
    expect(await screen.findByText('SMALL')).toBeInTheDocument();
  });

  it('stays busy after the order until the dashboard is on screen, without counting it twice', async () => {
    const order = openWizard({ at: `${at}?package=pangolin`, more: created });
    await screen.findByText('MIDDLE');
    await fills(order, 'Domain', 'harbour.example');
    await isOn();
    const before = order.requested('GET', '/billing/runway').length;
    await order.user.click(forward());
    await waitFor(() => expect(order.address()).toBe('/dashboard?deployment=1053'));
    expect(order.requested('GET', '/billing/runway')).toHaveLength(before);
  });

  it('needs no domain where the platform gives a name, and takes an own one', async () => {
    const order = openWizard({
      at: `${at}?package=pangolin`,
      more: { ...created, ...PLATFORM },
    });
    const name = /^admin\.mara-pangolin-\d{6}\.moorage\.example$/;
    expect(await screen.findByText(name)).toBeInTheDocument();
    await isOn();
    await order.user.click(screen.getByRole('button', { name: 'Use my own domain' }));
    await fills(order, 'Domain', 'harbour.example');
    await order.user.click(screen.getByRole('button', { name: 'Use a name from us' }));
    expect(screen.getByText(name)).toBeInTheDocument();
    await order.user.click(forward());
    await waitFor(() => expect(orders(order)).toHaveLength(1));
    expect(orders(order)[0]?.body).toMatchObject({
      domain: null,
      client_name: expect.stringContaining('mara-pangolin'),
    });
  });

  it('keeps the field of the email while it is typed, and shows what is wrong with it at Create', async () => {
    const user = { ...USER, email: 'mara@harbour.invalid' };
    const order = openWizard({ at: `${at}?package=pangolin`, user, more: { ...created, ...PLATFORM } });
    await screen.findByText('MIDDLE');
    await order.user.type(await screen.findByLabelText('Letsencrypt Email'), 'm');
    expect(screen.getByLabelText('Letsencrypt Email')).toHaveFocus();
    await order.user.tab();
    await isOn();
    await order.user.click(forward());
    expect(screen.getByLabelText('Letsencrypt Email')).toHaveAttribute('aria-invalid', 'true');
    expect(screen.getByLabelText('Letsencrypt Email')).toHaveFocus();
    await order.user.type(screen.getByLabelText('Letsencrypt Email'), 'ara@harbour.example');
    await order.user.tab();
    expect(await screen.findByText('mara@harbour.example', { selector: '.mono' })).toBeInTheDocument();
    await order.user.click(forward());
    await waitFor(() => expect(orders(order)).toHaveLength(1));
  });
});
