import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { type Replies, settingsOf, USER } from '../../testing/console-fixture';
import { leavePage } from '../../testing/leave-console';
import { type Driven, fills, forward, goesOn, openAt, openWizard, whyOff } from './testing';
import { asStored } from '@moorage/domain';

const VALIDATE = 'POST /servers/validate-vps';
const PASSED = {
  message: 'Your server is reachable and can be used.',
  state: 'passed',
  ip_address: '5.9.3.1',
  host_key_sha256: 'SHA256:abcdefgh',
  results: [
    { name: 'connectivity', level: 'ok', message: asStored('The server responds on port 22.') },
    { name: 'reboot', level: 'warning', message: asStored('The server needs a reboot.') },
  ],
  valid_until: '2099-11-22T14:00:00.000Z',
};
const requested = ({ calls }: Driven) => calls.filter(({ path }) => path === '/servers/validate-vps');

async function open(more: Replies, user = USER): Promise<Driven> {
  const wizard = await openAt('server', { more, user, draft: { server_type: 'vps' } });
  await screen.findByText('Grant access');
  return wizard;
}
async function validates(wizard: Driven, address = '5.9.3.1'): Promise<void> {
  await fills(wizard, 'IP address', address);
  await wizard.user.keyboard('{Enter}');
}

describe("check of the customer's own server", () => {
  it('shows the script of the package for copying', async () => {
    const wizard = await open({ 'GET /servers/periphery-script': { body: 'services: {}' } });
    await screen.findByText(/services/, { selector: 'pre' });
    const call = wizard.calls.find(({ path }) => path === '/servers/periphery-script');
    expect(call?.query).toEqual({ package: 'pangolin' });
    expect(screen.getByText('Copy')).toBeInTheDocument();
  });

  it('lists the commands in order, each for copying', async () => {
    await open({ 'GET /servers/periphery-script': { body: 'services: {}' } });
    expect([...document.querySelectorAll('.own .command')].map(({ textContent }) => textContent)).toEqual([
      '1. If Docker is missing, install it: curl -fsSL https://get.docker.com | sudo sh ',
      '3. Run it in the same folder: sudo docker compose up -d ',
    ]);
    expect(screen.getByRole('button', { name: 'Copy sudo docker compose up -d' })).toBeInTheDocument();
  });

  it('leaves private addresses to the server until it is known that this installation accepts none', async () => {
    const wizard = await open({ [VALIDATE]: { body: PASSED } });
    await validates(wizard, '10.0.0.5');
    await waitFor(() => expect(requested(wizard).map(({ body }) => body)).toEqual([{ ip_address: '10.0.0.5' }]));
  });

  it.each([
    ['300.1.1.1', /^Enter an IPv4 address such as/],
    ['203.0.113.7', /^This is not a public IP address\. Enter the address/],
    ['192.168.1.5', /^This is not a public IP address\./],
  ])('rejects %s without a request, which would count as a try', async (address, message) => {
    const wizard = await open({ [VALIDATE]: { body: PASSED }, 'GET /console/settings': { body: settingsOf() } });
    await validates(wizard, address);
    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(requested(wizard)).toEqual([]);
  });

  it('offers no simulated server elsewhere, and refuses its address', async () => {
    const wizard = await open({ 'GET /console/settings': { body: settingsOf() } });
    await validates(wizard, '198.19.200.7');
    expect(await screen.findByText(/^This is not a public IP address\./)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Use a simulated server' })).not.toBeInTheDocument();
    expect(requested(wizard)).toEqual([]);
  });

  it('shows the host key and each named result, and enables Next', async () => {
    const wizard = await open({ [VALIDATE]: { body: PASSED } });
    await validates(wizard);
    expect(await screen.findByText('Your server is reachable and can be used.')).toBeInTheDocument();
    expect(requested(wizard).map(({ body }) => body)).toEqual([{ ip_address: '5.9.3.1' }]);
    expect(screen.getByText('SHA256:abcdefgh')).toBeInTheDocument();
    const results = [...document.querySelectorAll('.results li')].map((item) => item.textContent);
    expect(results).toEqual([
      'Reboot (Warning)The server needs a reboot.',
      'Connection (OK)The server responds on port 22.',
    ]);
    await goesOn(wizard, 'Configuration');
  });

  it('logs in as another user, whose password is sent and not stored', async () => {
    const wizard = await open({ [VALIDATE]: { body: PASSED } });
    expect(screen.queryByLabelText('Password for sudo')).not.toBeInTheDocument();
    await wizard.user.clear(screen.getByLabelText('User on the server'));
    await fills(wizard, 'User on the server', 'deploy');
    await fills(wizard, 'Password for sudo', 'correct horse');
    await validates(wizard);
    expect(await screen.findByText('SHA256:abcdefgh')).toBeInTheDocument();
    expect(requested(wizard).map(({ body }) => body)).toEqual([
      { ip_address: '5.9.3.1', ssh_user: 'deploy', sudo_password: 'correct horse' },
    ]);
    const scripts = wizard.calls.filter(({ path }) => path === '/servers/periphery-script');
    expect(scripts.at(-1)?.query).toEqual({ package: 'pangolin', user: 'deploy' });
    leavePage();
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('correct horse');
  });

  it('shows progress and sends no second request', async () => {
    const wizard = await open({ [VALIDATE]: () => new Promise(() => undefined) });
    await validates(wizard);
    expect(await screen.findByText('Validating...')).toBeInTheDocument();
    expect(whyOff()).toBe("We're still checking your server.");
    await wizard.user.click(screen.getByText('Validating...'));
    expect(requested(wizard)).toHaveLength(1);
  });

  it('retries automatically while there is no result', async () => {
    let answers = 0;
    const wizard = await open({
      [VALIDATE]: () =>
        ++answers < 3 ? { status: 202, body: { ...PASSED, state: 'asked', results: [] } } : { body: PASSED },
    });
    await validates(wizard);
    expect(await screen.findByText('Your server is reachable and can be used.')).toBeInTheDocument();
    expect(requested(wizard)).toHaveLength(3);
  });

  it('shows all findings when rejected', async () => {
    const wizard = await open({
      [VALIDATE]: {
        status: 422,
        body: {
          code: 'VPS_REFUSED',
          detail: 'Ubuntu 22.04/24.04 or Debian 12 is required; found suse.',
          errors: [],
          host_key_sha256: 'SHA256:abcdefgh',
          results: [
            { name: 'key', level: 'ok', message: asStored('The server accepts our key.') },
            {
              name: 'os',
              level: 'error',
              message: asStored('Ubuntu 22.04/24.04 or Debian 12 is required; found suse.'),
            },
            { name: 'brand-new', level: 'error', message: asStored('Something else.') },
          ],
        },
      },
    });
    await validates(wizard);
    expect(await screen.findByText('SHA256:abcdefgh')).toBeInTheDocument();
    expect([...document.querySelectorAll('.results b')].map((name) => name.textContent)).toEqual([
      'Operating system',
      'brand-new',
      'Our key',
    ]);
    expect(screen.getByLabelText('IP address')).toHaveAttribute('aria-invalid', 'true');
    expect(whyOff()).toBe('Validate your server to continue.');
  });

  it.each([
    [
      {
        status: 422,
        body: { code: 'FIELDS_INVALID', detail: 'x', errors: [{ path: 'ip_address', message: 'A private address.' }] },
      },
      'A private address.',
    ],
    [
      { status: 409, body: { code: 'VPS_IN_USE', detail: 'Another deployment already runs on this server.' } },
      'Another deployment already runs on this server.',
    ],
    [
      {
        status: 429,
        body: { code: 'RATE_LIMITED', detail: 'Too often. Try again in 40 seconds.' },
        headers: { 'retry-after': '40' },
      },
      'Too often. Try again in 40 seconds.',
    ],
  ])('shows the message of the server for another rejection (%#)', async (reply, sentence) => {
    const wizard = await open({ [VALIDATE]: reply });
    await validates(wizard);
    expect(await screen.findByText(sentence)).toBeInTheDocument();
  });

  it('ignores a result for an address other than the current input', async () => {
    let answer: (reply: { body: unknown }) => void = () => undefined;
    const wizard = await open({ [VALIDATE]: () => new Promise((resolve) => (answer = resolve)) });
    await validates(wizard);
    await fills(wizard, 'IP address', '23');
    await act(async () => answer({ body: PASSED }));
    expect(screen.queryByText('Your server is reachable and can be used.')).not.toBeInTheDocument();
    expect(whyOff()).toBe('Validate your server to continue.');
  });

  it('stays valid after a reload', async () => {
    const wizard = await open({ [VALIDATE]: { body: PASSED } });
    await validates(wizard);
    await screen.findByText('SHA256:abcdefgh');
    leavePage();
    openWizard();
    expect(await screen.findByText('SHA256:abcdefgh')).toBeInTheDocument();
    await waitFor(() => expect(whyOff()).toBeNull());
  });

  it('is disabled for an unverified account, with the reason', async () => {
    const wizard = await open({}, { ...USER, is_verified: false });
    await validates(wizard);
    expect(screen.getByText('Verify your email address first, then you can validate a server.')).toBeInTheDocument();
    expect(requested(wizard)).toHaveLength(0);
  });

  it('is required again after the order is rejected', async () => {
    const message = 'Validate your server first. A validation is valid for 24 hours.';
    const wizard = await open({
      [VALIDATE]: { body: PASSED },
      'POST /deployments': {
        status: 422,
        body: { code: 'VPS_CHECK_NEEDED', detail: message, errors: [{ path: 'vps_ip_address', message }] },
      },
    });
    await validates(wizard);
    await screen.findByText('SHA256:abcdefgh');
    await goesOn(wizard, 'Configuration');
    await fills(wizard, 'Domain', 'harbour.example');
    await fills(wizard, 'Letsencrypt Email', 'mara@northsea.example');
    expect(screen.queryByText('SSH public key')).not.toBeInTheDocument();
    await goesOn(wizard, 'Choose a support level');
    await goesOn(wizard, 'Review');
    await waitFor(() => expect(whyOff()).toBeNull());
    await wizard.user.click(forward());
    expect(await screen.findByText('Choose a server')).toBeInTheDocument();
    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(whyOff()).toBe('Validate your server to continue.');
  });
});
