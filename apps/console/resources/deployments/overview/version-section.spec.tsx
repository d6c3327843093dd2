import { describe, expect, it } from '@jest/globals';
import type { DeploymentUpdatesAnswer } from '@moorage/contracts';
import { DEFAULT_UPDATE_SETTINGS, UPDATE_MESSAGES } from '@moorage/domain';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN, dialog, press } from '../../../testing/console-fixture';
import { card, showPage } from '../page/testing';
import { deploymentOf, lastUpdateOf, updatesOf, versionOf } from '../testing';

const UPDATES = 'GET /deployments/1053/updates';
const UPDATE = 'POST /deployments/1053/update';
const NEWER = [
  versionOf('1.24.0-1', { kind: 'minor', migrates: true }),
  versionOf('1.24.0-2', { kind: 'security', released_on: '2026-11-18' }),
];

type Shown = Parameters<typeof showPage>[0];
const show = (
  over: Partial<DeploymentUpdatesAnswer> = {},
  { deployment = {}, ...options }: { deployment?: Shown } & NonNullable<Parameters<typeof showPage>[1]> = {},
) => showPage(deployment, { ...options, more: { [UPDATES]: { body: updatesOf(over) } } });

const withUpdate = { newer: NEWER, next: '1.24.0-2' };

describe('version of a deployment', () => {
  it('is shown as the newest', async () => {
    show();
    const part = await card('Version');
    expect(await part.findByText('Pangolin 1.23.0')).toBeInTheDocument();
    expect(part.getByText('Released on 5 Oct 2026')).toBeInTheDocument();
    expect(part.getByText('This is the newest version that we offer for this deployment.')).toBeInTheDocument();
    expect(part.queryByRole('button')).not.toBeInTheDocument();
  });

  it('is followed by newer ones with kind, date and changes', async () => {
    show(withUpdate);
    const part = await card('Version');
    await part.findByRole('heading', { name: 'Newer versions' });
    expect(
      part
        .getAllByText(/^1\.24\.0-\d$/)
        .map((version) => [
          version.parentElement?.textContent,
          version.closest('li')?.querySelector('ul')?.textContent,
        ]),
    ).toEqual([
      ['1.24.0-2SecurityReleased on 18 Nov 2026', 'Changes of 1.24.0-2.'],
      ['1.24.0-1New featuresReleased on 16 Nov 2026', 'Changes of 1.24.0-1.'],
    ]);
  });

  it.each([
    ['within 60 days of it', '2027-01-19', 'Version 1.23.0 gets security fixes until 19 Jan 2027.'],
    ['on its last day', '2026-11-21', 'Version 1.23.0 gets security fixes until 21 Nov 2026.'],
    ['after it', '2026-11-20', 'Version 1.23.0 has received no security fixes since 20 Nov 2026.'],
    ['long before it', '2027-01-21', null],
  ])('states the end of support %s', async (_, supported_until, text) => {
    show({ running: versionOf('1.23.0', { supported_until }) });
    const part = await card('Version');
    await part.findByText('Pangolin 1.23.0');
    await waitFor(() => expect(part.queryByText(/security fixes/)?.textContent ?? null).toBe(text));
  });

  it('says that automatic updates wait for the owner', async () => {
    show({ ...withUpdate, waits_for_owner: true });
    const part = await card('Version');
    expect(await part.findByText(/^Automatic updates stop here/)).toBeInTheDocument();
  });

  it('says that it was withdrawn, and not that it is the newest', async () => {
    show({ is_withdrawn: true });
    const part = await card('Version');
    expect(
      await part.findByText('Version 1.23.0 was withdrawn and is no longer offered to anyone.'),
    ).toBeInTheDocument();
    expect(part.queryByText('This is the newest version that we offer for this deployment.')).not.toBeInTheDocument();
  });

  it('says that it is being updated, and offers the update again after it was undone', async () => {
    const { reply, queryClient } = show(
      { ...withUpdate, last: lastUpdateOf() },
      { deployment: { status: 'RESTARTING' } },
    );
    const part = await card('Version');
    expect(await part.findByText('The update to 1.24.0-2 is running.')).toBeInTheDocument();
    expect(part.queryByRole('button')).not.toBeInTheDocument();
    const last = lastUpdateOf({ state: 'failed', was_undone: true });
    reply({
      'GET /deployments/1053': { body: deploymentOf() },
      [UPDATES]: { body: updatesOf({ ...withUpdate, last }) },
    });
    await act(async () => void (await queryClient.invalidateQueries()));
    expect(await part.findByRole('button', { name: 'Update now' })).toBeInTheDocument();
  });

  it('says that newer versions cannot be reached', async () => {
    show({ newer: NEWER, next: null });
    const part = await card('Version');
    expect(
      await part.findByText('No update leads from the version of this deployment to these versions yet.'),
    ).toBeInTheDocument();
    expect(part.queryByRole('button')).not.toBeInTheDocument();
  });

  it('can be loaded again', async () => {
    showPage({}, { more: { [UPDATES]: { status: 500, body: {} } } });
    const part = await card('Version');
    expect((await part.findByRole('alert')).textContent).toContain("The versions couldn't be loaded.");
  });
});

describe('update', () => {
  it('says that it ends the undo of a restore', async () => {
    show({ ...withUpdate, ends_undo: true });
    const part = await card('Version');
    expect(await part.findByText('The restore can no longer be undone after the update.')).toBeInTheDocument();
  });

  it('states its consequences, starts after a confirmation and shows at once', async () => {
    const { requested, reply } = show(withUpdate);
    const part = await card('Version');
    expect(await part.findByText('A backup is taken first.')).toBeInTheDocument();
    expect(part.getByText("The deployment can't be reached for about 1 min 30 s.")).toBeInTheDocument();
    expect(part.getByText(/changes the format of the data/)).toBeInTheDocument();
    expect(part.getByText(/it is undone automatically/)).toBeInTheDocument();
    expect(part.queryByText(/The restore can no longer/)).not.toBeInTheDocument();
    await press('Update now', part);
    const asked = await dialog('Update maralind-pangolin-915204 to 1.24.0-2');
    expect(asked.getByText('Changes of 1.24.0-1.')).toBeInTheDocument();
    expect(asked.getByText('Changes of 1.24.0-2.')).toBeInTheDocument();
    expect(requested('POST', '/deployments/1053/update')).toEqual([]);
    reply({
      [UPDATE]: { body: deploymentOf({ status: 'RESTARTING' }) },
      'GET /deployments/1053': { body: deploymentOf({ status: 'RESTARTING' }) },
      [UPDATES]: { body: updatesOf({ ...withUpdate, last: lastUpdateOf() }) },
    });
    await press('Update to 1.24.0-2', asked);
    expect(
      await screen.findByText('The update of maralind-pangolin-915204 to 1.24.0-2 has started.'),
    ).toBeInTheDocument();
    expect(requested('POST', '/deployments/1053/update').map(({ body }) => body)).toEqual([
      { version: '1.24.0-2', reason: null },
    ]);
    expect(await part.findByText('The update to 1.24.0-2 is running.')).toBeInTheDocument();
  });

  it('mentions no backup where there is none, and that the data keeps its format', async () => {
    show({ newer: [versionOf('1.23.1')], next: '1.23.1', backs_up: false });
    const part = await card('Version');
    expect(await part.findByText('The format of the data stays the same.')).toBeInTheDocument();
    expect(part.queryByText('A backup is taken first.')).not.toBeInTheDocument();
  });

  it('needs a reason from staff', async () => {
    const { requested, reply } = show(withUpdate, { user: ADMIN });
    await press('Update now', await card('Version'));
    const asked = await dialog('Update maralind-pangolin-915204 to 1.24.0-2');
    const submit = asked.getByRole('button', { name: 'Update to 1.24.0-2' });
    expect(submit).toBeDisabled();
    await userEvent.type(asked.getByRole('textbox', { name: 'Reason' }), 'Requested by phone');
    reply({ [UPDATE]: { body: deploymentOf({ status: 'RESTARTING' }) } });
    await userEvent.click(submit);
    await waitFor(() =>
      expect(requested('POST', '/deployments/1053/update').map(({ body }) => body)).toEqual([
        { version: '1.24.0-2', reason: 'Requested by phone' },
      ]),
    );
  });

  it('is locked while the version is held', async () => {
    const settings = { ...DEFAULT_UPDATE_SETTINGS, days: [...DEFAULT_UPDATE_SETTINGS.days], is_held: true };
    show({ ...withUpdate, settings });
    const part = await card('Version');
    expect(await part.findByRole('button', { name: 'Update now' })).toHaveAttribute('aria-disabled', 'true');
    expect(part.getByText(/is held at its version/)).toBeInTheDocument();
    expect(part.getByRole('link', { name: 'Choose a window' })).toHaveAttribute('href', '/deployments/1053/settings');
  });

  it('shows in the dialog why it was refused', async () => {
    const { reply } = show(withUpdate);
    await press('Update now', await card('Version'));
    const message = UPDATE_MESSAGES.unknown;
    const problem = { path: 'version', message: message.detail, code: message.code, facts: {} };
    reply({
      [UPDATE]: { status: 422, body: { code: 'FIELDS_INVALID', detail: 'Some fields are wrong.', errors: [problem] } },
    });
    const asked = await dialog('Update maralind-pangolin-915204 to 1.24.0-2');
    await press('Update to 1.24.0-2', asked);
    expect(await asked.findByText(message.detail)).toBeInTheDocument();
  });
});
