import type { PackageConfigAnswer } from '@moorage/contracts';
import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { settingsOf } from '../../testing/console-fixture';
import { configSections } from './config-fields';
import { configOf, type Driven, fills, forward, heading, openAt } from './testing';

/** Package configuration with every field a package can require. */
const LARGE: Partial<PackageConfigAnswer> = {
  admin_name: 'email',
  defaults: { ADMIN_SUBDOMAIN: 'admin', ADMIN_USERNAME: '{EMAIL}', LOGS_SUBDOMAIN: 'logs' },
  dns: [
    { host: '{ADMIN_SUBDOMAIN}', required: true },
    { host: '{LOGS_SUBDOMAIN}', required: true },
    { host: 'oauth', required: true, when: 'CLIENT_ID' },
  ],
  details: [
    part({
      required: ['DOMAIN', 'EMAIL', 'ADMIN_USERNAME', 'ADMIN_PASSWORD'],
      optional: ['ADMIN_SUBDOMAIN', 'SETUP_TOKEN', 'CLIENT_ID', 'LOGS_SUBDOMAIN'],
    }),
    part({
      required: ['CROWDSEC_ENROLLMENT_KEY', 'STATIC_PAGE_SUBDOMAIN', 'OPENAI_API_KEY'],
      optional: ['MAXMIND_LICENSE_KEY', 'CLIENT_SECRET', 'KOMODO_HOST_IP', 'KOMODO_PASSKEY', 'TRAEFIK_SUBDOMAIN'],
    }),
  ],
};

function part({ required, optional }: { required: string[]; optional: string[] }) {
  const text = { en: 'Part', de: 'Teil' };
  return { name: 'part', description: 'Part', description_texts: text, required_env: required, optional_env: optional };
}

const asks = (over: Partial<PackageConfigAnswer>) => ({
  more: { 'GET /deployments/packages/pangolin/config': { body: configOf('pangolin', over) } },
});
const section = (name: string) => within(screen.getByRole('region', { name }));
const group = (name: string) => within(screen.getByRole('group', { name }));
describe('required and optional sections', () => {
  it('show what is required and optional, in manifest order, and explain the next step', async () => {
    await openAt('config', asks(LARGE));
    await screen.findByText('Required');
    const fields = (name: string) =>
      [...screen.getByRole('region', { name }).querySelectorAll('[name]')].map((input) => input.getAttribute('name'));
    expect(fields('Required')).toEqual([
      'domain',
      'admin_email',
      'admin_username',
      'admin_password',
      'crowdsec_enrollment_key',
      'static_page_subdomain',
      'openai_api_key',
    ]);
    expect(fields('Optional')).toEqual([
      'admin_subdomain',
      'setup_token',
      'oauth_client_id',
      'oauth_client_secret',
      'logs_subdomain',
      'maxmind_license_key',
      'komodo_host_ip',
      'komodo_passkey',
      'traefik_subdomain',
      'user_ssh_key',
    ]);
    expect(section('Optional').getByText(/^Leave a field empty if you don't need it/)).toBeInTheDocument();
  });

  it('show a default in its empty field, and mark examples as such', async () => {
    const wizard = await openAt('config', asks(LARGE));
    await fills(wizard, 'Letsencrypt Email', 'mara@northsea.example');
    const placeholder = (label: string) => screen.getByLabelText<HTMLInputElement>(label).placeholder;
    expect(placeholder('Logs Subdomain')).toBe('logs');
    expect(placeholder('Admin Username')).toBe('mara@northsea.example');
    expect(placeholder('Traefik Subdomain')).toBe('for example traefik');
    expect(placeholder('Static Page Subdomain')).toBe('www');
  });

  it('are hidden for a package without settings', async () => {
    await openAt('config', { ...asks({ details: [] }), draft: { server_type: 'vps', vps_ip_address: '5.9.3.1' } });
    expect(await screen.findByText('This package needs no configuration. You can continue.')).toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Required' })).not.toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Optional' })).not.toBeInTheDocument();
  });

  it('require a name that is required by one part and optional for another', () => {
    const { needed, optional } = configSections({
      details: [part({ required: [], optional: ['DOMAIN'] }), part({ required: ['DOMAIN'], optional: [] })],
    });
    expect(needed.map(({ fields }) => fields.map(({ name }) => name))).toEqual([['DOMAIN']]);
    expect(optional).toEqual([]);
  });
});

describe('domain with letters beyond ASCII', () => {
  it('is stored in its DNS form and shown in both forms', async () => {
    const wizard = await filled(LARGE);
    await wizard.user.clear(await screen.findByLabelText('Domain'));
    await fills(wizard, 'Domain', 'MÜNCHEN-Shop.de');
    await wizard.user.tab();
    expect(screen.getByLabelText('Domain')).toHaveValue('xn--mnchen-shop-thb.de');
    expect(screen.getByText('münchen-shop.de is written as xn--mnchen-shop-thb.de in DNS.')).toBeInTheDocument();
  });
});

describe('fields that belong together', () => {
  it.each([
    [
      'Sign-in with Google',
      ['oauth_client_id', 'oauth_client_secret'],
      /with Google, using the address in Letsencrypt Email/,
    ],
    ['Your own Komodo', ['komodo_host_ip', 'komodo_passkey'], /Fill in both or leave both empty/],
  ])('are labelled as the group "%s"', async (name, fields, text) => {
    await openAt('config', asks(LARGE));
    await screen.findByText(name);
    const names = [...screen.getByRole('group', { name }).querySelectorAll('input')].map((input) => input.name);
    expect(names).toEqual(fields);
    expect(group(name).getByText(text)).toBeInTheDocument();
  });

  it.each([
    ['OAuth Client ID', 'a', 'OAuth Client Secret is required with OAuth Client ID.'],
    ['Komodo Passkey', 'a-long-enough-passkey', 'Komodo Host IP is required with Komodo Passkey.'],
  ])('block the next step with only %s', async (label, value, sentence) => {
    const wizard = await filled(LARGE);
    await fills(wizard, label, value);
    await wizard.user.click(forward());
    expect(screen.getByText(sentence)).toBeInTheDocument();
    expect(heading()).toBe('Configuration');
    await waitFor(() => expect(document.activeElement).toHaveAttribute('aria-invalid', 'true'));
  });
});

describe('sign-in note', () => {
  const admin = (over: Partial<PackageConfigAnswer>, required: string[], optional: string[]) =>
    asks({ ...over, details: [part({ required: ['DOMAIN', 'EMAIL', ...required], optional })] });
  const NAME = 'ADMIN_USERNAME';
  const PASSWORD = 'ADMIN_PASSWORD';
  const CREATED =
    "If you leave Admin Password empty, we generate one. You'll find it in the details once the deployment is ready.";

  it.each([
    [
      'a required address',
      admin({ admin_name: 'email' }, [NAME, PASSWORD], []),
      'You log in with the email address in Admin Username.',
    ],
    [
      'an optional address',
      admin({ admin_name: 'email' }, [], [NAME, PASSWORD]),
      `You log in with the email address in Admin Username, or with the one in Letsencrypt Email if you leave it empty. ${CREATED}`,
    ],
    [
      'a display name',
      admin({ admin_name: 'display_name' }, [], [NAME, PASSWORD]),
      `You log in with the email address in Letsencrypt Email. Admin Username is only the name shown there. ${CREATED}`,
    ],
    ['a password only', admin({}, [], [PASSWORD]), CREATED],
  ])('is shown for %s', async (_, options, text) => {
    await openAt('config', options);
    await screen.findByText('Administrator account');
    expect(screen.getByRole('group', { name: 'Administrator account' }).querySelector('p')?.textContent).toBe(text);
  });
});

describe('duplicate names', () => {
  it.each([
    ['Traefik Subdomain', 'admin', 'Admin Subdomain already uses this name. Each one needs its own.'],
    ['Traefik Subdomain', 'logs', 'Logs Subdomain already uses this name. Each one needs its own.'],
    ['Static Page Subdomain', 'oauth', 'The package itself uses the name oauth. Choose another.'],
  ])('%s "%s": %s', async (label, value, sentence) => {
    const wizard = await filled(LARGE, { oauth_client_id: 'a', static_page_subdomain: '' });
    await fills(wizard, 'OAuth Client Secret', 'b');
    await fills(wizard, label, value);
    await wizard.user.tab();
    const input = screen.getByLabelText(label);
    expect(input).toHaveAttribute('aria-invalid', 'true');
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(sentence);
  });
});

describe('domain that cannot point to a server', () => {
  it.each([
    ['shop.local', 'Names in the zone local are reserved and never point to a server on the internet.'],
    ['co.uk', "Names below co.uk are registered by other people, so it can't point to your server."],
    ['shop.comm', 'There are no domains that end in .comm.'],
  ])('%s is rejected at its field', async (domain, sentence) => {
    const { more } = asks({});
    const wizard = await openAt('config', { more: { ...more, 'GET /console/settings': { body: settingsOf() } } });
    await fills(wizard, 'Domain', domain);
    await wizard.user.tab();
    const input = screen.getByLabelText('Domain');
    await waitFor(() => expect(input).toHaveAttribute('aria-invalid', 'true'));
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toContain(sentence);
  });
});

/** Opens the step with all required fields filled in. */
async function filled(over: Partial<PackageConfigAnswer>, draft = {}): Promise<Driven> {
  const wizard = await openAt('config', {
    ...asks(over),
    draft: {
      domain: 'harbour.example',
      admin_email: 'mara@northsea.example',
      admin_username: 'mara@northsea.example',
      static_page_subdomain: 'www',
      ...draft,
    },
  });
  await fills(wizard, 'Admin Password', 'Correct-horse-7');
  await fills(wizard, 'CrowdSec Enrollment Key', 'clapf3lqj0000356kdi8exxxx');
  await fills(wizard, 'OpenAI API Key', 'sk-1');
  return wizard;
}
