import { describe, expect, it } from '@jest/globals';
import type { DeploymentAnswer, DeploymentDnsAnswer, HostCertificateAnswer } from '@moorage/contracts';
import { asStored, CERTIFICATE_STATES, CERTIFICATE_MESSAGES } from '@moorage/domain';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { press, type Replies, showInConsole, USER } from '../../../testing/console-fixture';
import { deploymentsTexts as german } from '@moorage/texts/de/console/deployments';
import { deploymentsTexts as english } from '@moorage/texts/en/console/deployments';
import { showDetails } from '../drawer/testing';
import Dashboard from '../list';
import { card, showPage } from '../page/testing';
import { certificateOf, deploymentOf, dnsOf, NOW, progressOf, repliesFor, stepOf } from '../testing';

const SLOW = { timeout: 10_000 };
const SEEN = [
  { resolver: '1.1.1.1', kind: 'public' as const, values: ['203.0.113.41'], cname: null, error: null },
  { resolver: 'ns1.harbour-lights.example', kind: 'zone' as const, values: ['203.0.113.41'], cname: null, error: null },
];
const recordOf = (name: string, certificate: HostCertificateAnswer | null): DeploymentDnsAnswer['records'][number] => ({
  type: 'A',
  name,
  fqdn: `${name}.harbour-lights.example`,
  value: '203.0.113.41',
  required: true,
  right: true,
  reason: null,
  seen: SEEN,
  certificate,
});

const WORDS = 'caa: CAA record for admin.harbour-lights.example prevents issuance';
const REFUSED = certificateOf({
  state: 'refused',
  reason: CERTIFICATE_MESSAGES.refused_caa({ host: 'admin.harbour-lights.example' }),
  authority_words: WORDS,
  issuer: null,
  expires_at: null,
});

async function show(
  over: Partial<DeploymentAnswer>,
  dns: Partial<DeploymentDnsAnswer>,
  more: Replies = {},
  user = USER,
) {
  const deployment = deploymentOf(over);
  const answer = dnsOf({ right_count: 3, all_right: true, ...dns });
  const fixture = showInConsole(<Dashboard />, {
    replies: repliesFor([deployment], { 'GET /deployments/1053/dns': { body: answer }, ...more }),
    at: '/dashboard?deployment=1053',
    user,
  });
  await screen.findByRole('heading', { name: deployment.client_name, level: 2 }, SLOW);
  const drawer = document.querySelector('.drawer') as HTMLElement;
  await within(drawer).findByText('DNS and certificates', undefined, SLOW);
  return { ...fixture, drawer, part: within(drawer) };
}
const rowsOf = (drawer: HTMLElement) =>
  [...drawer.querySelectorAll('.dns tbody')].map(({ textContent }) => textContent);

const refusedOnce: Partial<DeploymentDnsAnswer> = {
  records: [recordOf('admin', REFUSED), recordOf('traefik', certificateOf()), recordOf('*', null)],
};
const failed: Replies = {
  'GET /deployments/1053/progress': {
    body: progressOf([stepOf('issue-certificate', 'failed')], { run: 'validate-dns', status: 'DNS_FAILED' }),
  },
};

/** Returns the rows of the records on the page. */
async function rowsOnPage(records: DeploymentDnsAnswer['records']) {
  const body = dnsOf({ right_count: 3, all_right: true, records });
  showPage({}, { tab: '/access', more: { 'GET /deployments/1053/dns': { body } } });
  await card('DNS and certificates');
  return rowsOf(document.body);
}

describe('host name on the page', () => {
  it('shows its record, and its certificate if it needs one', async () => {
    const [admin, www, all] = await rowsOnPage([
      recordOf('admin', certificateOf()),
      {
        ...recordOf('www', certificateOf({ state: 'waiting_for_dns', issuer: null, expires_at: null })),
        right: false,
        seen: [],
      },
      recordOf('*', null),
    ]);
    expect(admin).toMatch(/DNS correct, 2 of 2.*Certificate valid until 12 Feb 2027/);
    expect(www).toMatch(/DNS not checked yet.*Certificate is waiting for DNS/);
    expect(all).toMatch(/DNS correct, 2 of 2$/);
  });

  it.each<[HostCertificateAnswer['state'], Partial<HostCertificateAnswer>, RegExp]>([
    ['issuing', {}, /Certificate is being issued$/],
    [
      'expires_soon',
      { expires_at: '2026-12-01T00:00:00.000Z', reason: asStored('The certificate of a.example expires soon.') },
      /Certificate expires on 1 Dec 2026The certificate of a\.example expires soon\.Restart Stack requests it again\./,
    ],
    ['expired', { expires_at: '2026-11-01T00:00:00.000Z' }, /Certificate expired on 1 Nov 2026Restart Stack/],
    [
      'wrong',
      { reason: asStored('The certificate comes from elsewhere.') },
      /Wrong certificateThe certificate comes from/,
    ],
    ['unknown', { checked_at: '2026-03-01T00:00:00.000Z' }, /Certificate last checked on 1 Mar 2026Restart Stack/],
    ['unreachable', { reason: asStored('Port 443 does not answer.') }, /port 443 is closedPort 443 does not answer\.$/],
    ['pending', {}, /No certificate yetRestart Stack/],
  ])('shows the certificate state %s', async (state, over, words) => {
    const [row] = await rowsOnPage([recordOf('admin', certificateOf({ state, ...over }))]);
    expect(row).toMatch(words);
  });

  it.each([
    ['English', english],
    ['German', german],
  ])('has a text for every state in %s', (_, { certificate }) => {
    expect(CERTIFICATE_STATES.filter((state) => certificate.state[state].trim() === '')).toEqual([]);
  });
});

describe('rejected certificate', () => {
  it('shows its reason and the message of the authority, apart from the correct names', async () => {
    const { drawer, part } = await show(
      { status: 'DNS_FAILED', failure: asStored('The reason of the whole.') },
      refusedOnce,
      failed,
    );
    const [admin, traefik] = rowsOf(drawer);
    expect(admin).toContain('Certificate refused');
    expect(admin).toContain('for admin.harbour-lights.example. Change that record, or remove it.');
    expect(admin).toContain(`The certificate authority reported: ${WORDS}`);
    expect(traefik).toContain('Certificate valid until');
    // The reasons directly follow the note that refers to them.
    expect(part.getByRole('alert').nextElementSibling?.querySelectorAll('.dns')).toHaveLength(1);
    expect(drawer.querySelectorAll('.dns')).toHaveLength(1);
    expect(part.getByRole('alert').textContent).toContain(
      'The certificate authority refused a certificate for admin.harbour-lights.example.',
    );
    expect(drawer.textContent).not.toContain('The reason of the whole.');
  });

  it('is retried by validation in DNS_FAILED', async () => {
    const { part, calls } = await show({ status: 'DNS_FAILED' }, refusedOnce, {
      ...failed,
      'POST /deployments/1053/retry-dns-validation': { body: deploymentOf({ status: 'DNS_VALIDATION' }) },
    });
    await userEvent.click(part.getByRole('button', { name: 'Try again now' }));
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/retry-dns-validation'))).toBe(true));
  });

  it('is retried by a restart in READY', async () => {
    const { part, calls } = await show({ status: 'READY' }, refusedOnce, {
      'POST /deployments/1053/restart': { body: deploymentOf({ status: 'RESTARTING' }) },
    });
    await userEvent.click(part.getByRole('button', { name: 'Try again now' }));
    await press('Restart', within(await screen.findByRole('alertdialog')));
    await waitFor(() => expect(calls.some(({ path }) => path.endsWith('/restart'))).toBe(true));
  });

  it('cannot be retried or restarted during the rate limit, and shows when that ends', async () => {
    const next = new Date(Date.parse(NOW) + 12 * 60_000).toISOString();
    const { part, calls } = await show({ status: 'DNS_FAILED' }, { ...refusedOnce, next_repair_at: next }, failed);
    for (const name of ['Try again now', 'Retry DNS Validation']) {
      const button = part.getByRole('button', { name });
      expect(button).toHaveAttribute('aria-disabled', 'true');
      await userEvent.click(button);
      await userEvent.hover(button);
      await waitFor(() =>
        expect(screen.getAllByRole('tooltip').map(({ textContent }) => textContent)).toContain(
          'You can try again from 14:31 UTC',
        ),
      );
      await userEvent.unhover(button);
    }
    expect(part.getByRole('alert').textContent).toContain('You can try again from 14:31 UTC');
    expect(calls.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('shows that retrying comes later while the platform is still working', async () => {
    const { part } = await show({ status: 'DNS_VALIDATION' }, refusedOnce);
    expect(part.getByRole('button', { name: 'Try again now' })).toHaveAttribute('aria-disabled', 'true');
    expect(part.getByRole('alert').textContent).toContain('You can try again when this attempt ends');
  });

  it('cannot be retried by an unverified user', async () => {
    const { part } = await show({ status: 'DNS_FAILED' }, refusedOnce, failed, { ...USER, is_verified: false });
    expect(part.getByRole('button', { name: 'Try again now' })).toHaveAttribute('aria-disabled', 'true');
  });

  it('has its own status, and says when it is requested again', async () => {
    const at = new Date(Date.parse(NOW) + 30 * 60_000).toISOString();
    const { part, drawer } = await show(
      { status: 'DNS_FAILED', failure: REFUSED.reason },
      { ...refusedOnce, next_check_at: at },
      failed,
    );
    expect(drawer.querySelector('header .st')?.textContent).toBe('Certificate Refused');
    expect(part.getByRole('alert').textContent).toMatch(/We try again automatically: .*14:48/);
  });

  it('offers no attempt that would be refused again', async () => {
    const limited = certificateOf({ ...REFUSED, reason: CERTIFICATE_MESSAGES.refused_rate({ host: 'a.example' }) });
    const { part } = await show({ status: 'DNS_FAILED' }, { records: [recordOf('admin', limited)] }, failed);
    expect(part.getByRole('alert').textContent).toContain('Trying again now would not help.');
    expect(part.queryByRole('button', { name: 'Try again now' })).not.toBeInTheDocument();
  });

  it('is no running step of the timeline', async () => {
    const step = { ...stepOf('issue-certificate', 'running'), message: REFUSED.reason };
    const { part } = await show({ status: 'DNS_VALIDATION' }, refusedOnce, {
      'GET /deployments/1053/progress': {
        body: progressOf([step], { run: 'validate-dns', status: 'DNS_VALIDATION' }),
      },
    });
    const title = await part.findByText('The certificate authority refused the certificate');
    expect(title.closest('li')).not.toHaveAttribute('aria-current');
  });

  it('shows how many names are affected', async () => {
    const { part } = await show(
      { status: 'DNS_FAILED' },
      { records: [recordOf('admin', REFUSED), recordOf('traefik', REFUSED)] },
      failed,
    );
    expect(part.getByRole('alert').textContent).toContain('refused certificates for 2 names.');
  });
});

it('offers Restart Stack in the details of a running deployment', async () => {
  const { part, sent } = await showDetails(
    { status: 'READY' },
    { 'POST /deployments/1053/restart': { body: deploymentOf({ status: 'RESTARTING' }) } },
  );
  await userEvent.click(part.getByRole('button', { name: 'Restart Stack (Fix SSL)' }));
  await press('Restart', within(await screen.findByRole('alertdialog')));
  await waitFor(() => expect(sent('POST', '/restart')).toHaveLength(1));
});
