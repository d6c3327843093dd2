import { describe, expect, it } from '@jest/globals';
import type { DnsProviderAnswer } from '@moorage/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Replies, type SeenCall, USER } from '../../../testing/console-fixture';
import { showPage } from '../page/testing';
import { dnsOf } from '../testing';

const BUTTON = { name: 'Create the records for me' };
const SLOW = { timeout: 10_000 };
const PROVIDER: DnsProviderAnswer = {
  domain: 'harbour-lights.example',
  zone: 'harbour-lights.example',
  name_servers: ['ns1.digitalocean.com', 'ns2.digitalocean.com'],
  provider: 'digitalocean',
  connect: null,
};
const CREATED = {
  provider: 'digitalocean',
  records: [
    { type: 'A', fqdn: 'admin.harbour-lights.example', value: '203.0.113.41', result: 'unchanged' },
    { type: 'A', fqdn: 'www.harbour-lights.example', value: '203.0.113.41', result: 'created' },
  ],
};
const ALIAS = { type: 'CNAME', name: 'www.harbour-lights.example', value: 'old.example.net', proxied: false };
const PROXIED = { type: 'A', name: 'ai.harbour-lights.example', value: '192.0.2.7', proxied: true };
const CREATE = 'POST /deployments/1053/dns/records';

async function opened(more: Replies = {}) {
  const page = showPage(
    { status: 'DNS_FAILED' },
    {
      tab: '/access',
      more: {
        'GET /deployments/1053/dns': { body: dnsOf() },
        'GET /deployments/1053/dns/provider': { body: PROVIDER },
        [CREATE]: { body: CREATED },
        ...more,
      },
    },
  );
  await userEvent.click(await screen.findByRole('button', BUTTON, SLOW));
  const dialog = within(await screen.findByRole('dialog'));
  const provider = await dialog.findByLabelText<HTMLSelectElement>('DNS provider');
  const token = dialog.getByLabelText<HTMLInputElement>('API token');
  const bodies = () => page.calls.filter(({ method, path }) => `${method} ${path}` === CREATE).map(({ body }) => body);
  return { ...page, dialog, provider, token, bodies };
}

describe('creating the records at the provider', () => {
  it('preselects the provider of the zone, links to its tokens, and sends the token once', async () => {
    const { dialog, provider, token, bodies } = await opened();
    expect(provider.value).toBe('digitalocean');
    expect(dialog.getByText('harbour-lights.example is managed at DigitalOcean.')).toBeInTheDocument();
    expect(dialog.getByText('Custom scopes: domain with read, create and delete.')).toBeInTheDocument();
    expect(dialog.getByRole('link', { name: 'Create a token at DigitalOcean' })).toHaveAttribute(
      'href',
      'https://cloud.digitalocean.com/account/api/tokens',
    );
    expect(token.type).toBe('password');
    await userEvent.type(token, ' dop_v1_secret ');
    await userEvent.click(dialog.getByRole('button', { name: 'Create records' }));
    expect(await screen.findByText('1 DNS record set at DigitalOcean.')).toBeInTheDocument();
    expect(bodies()).toEqual([
      { provider: 'digitalocean', token: 'dop_v1_secret', with_optional: false, domain: null, replace: [] },
    ]);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('warns if records at the chosen provider have no effect', async () => {
    const { dialog, provider } = await opened();
    await userEvent.selectOptions(provider, 'hetzner');
    expect(
      dialog.getByText(
        'harbour-lights.example is managed at DigitalOcean. Records at another provider have no effect.',
      ),
    ).toBeInTheDocument();
    expect(dialog.getByRole('link', { name: 'Create a token at Hetzner' })).toBeInTheDocument();
  });

  it('names the name servers of another provider, and nothing if none were found', async () => {
    const other = { ...PROVIDER, provider: null, name_servers: ['a.ns.example', 'b.ns.example', 'c.ns.example'] };
    const { dialog, provider } = await opened({ 'GET /deployments/1053/dns/provider': { body: other } });
    expect(provider.value).toBe('cloudflare');
    expect(
      dialog.getByText(/^The name servers of harbour-lights\.example are a\.ns\.example, b\.ns\.example\./),
    ).toBeInTheDocument();
  });

  it('links to the provider that can set the records itself', async () => {
    const connect = { provider: 'DNS Example', url: 'https://connect.dns.example/apply?domain=x' };
    const { dialog } = await opened({ 'GET /deployments/1053/dns/provider': { body: { ...PROVIDER, connect } } });
    expect(dialog.getByRole('link', { name: 'Open DNS Example' })).toHaveAttribute('href', connect.url);
  });

  it('still works without an answer about the provider', async () => {
    const { dialog } = await opened({ 'GET /deployments/1053/dns/provider': { status: 503, body: {} } });
    expect(dialog.queryByText(/name servers/)).not.toBeInTheDocument();
  });

  it('shows records that lead elsewhere, and replaces them only on a second submit', async () => {
    const differ = { code: 'DNS_RECORDS_DIFFER', detail: 'Other records exist.', existing: [ALIAS, PROXIED] };
    const answers = [{ status: 409, body: differ }, { body: { ...CREATED, records: CREATED.records.slice(1) } }];
    const { dialog, token, bodies } = await opened({ [CREATE]: (_call: SeenCall) => answers.shift() ?? {} });
    await userEvent.type(token, 'token');
    await userEvent.click(dialog.getByRole('button', { name: 'Create records' }));
    expect(await dialog.findByText('CNAME www.harbour-lights.example old.example.net')).toBeInTheDocument();
    expect(dialog.getByText('A ai.harbour-lights.example 192.0.2.7, proxied')).toBeInTheDocument();
    await userEvent.click(dialog.getByRole('button', { name: 'Replace 2 records' }));
    expect(await screen.findByText('1 DNS record set at DigitalOcean.')).toBeInTheDocument();
    expect(bodies().at(-1)).toMatchObject({
      replace: [
        { type: 'CNAME', name: 'www.harbour-lights.example', value: 'old.example.net' },
        { type: 'A', name: 'ai.harbour-lights.example', value: '192.0.2.7' },
      ],
    });
  });

  it('creates optional records unless the owner declines', async () => {
    const { records, ...dns } = dnsOf();
    const optional = { ...dns, records: records.map((record, at) => ({ ...record, required: at === 0 })) };
    const { dialog, token, bodies } = await opened({ 'GET /deployments/1053/dns': { body: optional } });
    const choice = dialog.getByRole('checkbox', { name: 'Also create optional records' });
    expect(choice).toBeChecked();
    await userEvent.click(choice);
    await userEvent.type(token, 'token');
    await userEvent.click(dialog.getByRole('button', { name: 'Create records' }));
    await waitFor(() => expect(bodies()).toMatchObject([{ with_optional: false }]));
  });

  it('shows a rejected token at its field', async () => {
    const detail = 'DigitalOcean rejected the token. Copy it again completely, or create a new one.';
    const errors = [
      { path: 'token', code: 'owner_record.token_refused', message: detail, facts: { provider: 'DigitalOcean' } },
    ];
    const { dialog, token } = await opened({
      [CREATE]: { status: 422, body: { code: 'FIELDS_INVALID', detail, errors } },
    });
    await userEvent.type(token, 'token');
    await userEvent.click(dialog.getByRole('button', { name: 'Create records' }));
    expect(await dialog.findByText(detail)).toBeInTheDocument();
    expect(token).toHaveAttribute('aria-invalid', 'true');
  });

  it('checks the form of a token before it is sent', async () => {
    const { dialog, token, bodies } = await opened();
    await userEvent.type(token, 'two words');
    await userEvent.click(dialog.getByRole('button', { name: 'Create records' }));
    expect(await dialog.findByText(/^A token has no spaces/)).toBeInTheDocument();
    expect(bodies()).toEqual([]);
  });

  it('is offered only to the owner', async () => {
    showPage(
      { status: 'DNS_FAILED', user_id: 99 },
      { tab: '/access', more: { 'GET /deployments/1053/dns': { body: dnsOf() } }, user: { ...USER, is_admin: true } },
    );
    await screen.findByRole('button', { name: 'Copy all' }, SLOW);
    expect(screen.queryByRole('button', BUTTON)).not.toBeInTheDocument();
  });
});
