import { describe, expect, it, jest } from '@jest/globals';
import type { DeploymentUpdatesAnswer } from '@moorage/contracts';
import { UPDATE_MESSAGES } from '@moorage/domain';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ADMIN, press } from '../../../testing/console-fixture';
import { card, showPage } from '../page/testing';
import { updatesOf } from '../testing';

const UPDATES = 'GET /deployments/1053/updates';
const SETTINGS = 'PUT /deployments/1053/update-settings';
const CHOSEN: DeploymentUpdatesAnswer['settings'] = {
  automatic: 'patch',
  is_held: false,
  days: [0, 6],
  hour: 3,
  hours: 2,
  time_zone: 'Europe/Berlin',
};
const WINDOW = { from: '2026-11-22T02:00:00.000Z', to: '2026-11-22T04:00:00.000Z' };

const show = (over: Partial<DeploymentUpdatesAnswer> = {}, options: Parameters<typeof showPage>[1] = {}) =>
  showPage({}, { ...options, tab: '/settings', more: { [UPDATES]: { body: updatesOf(over) } } });

const facts = (part: Awaited<ReturnType<typeof card>>) =>
  part.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]);

const select = (part: Awaited<ReturnType<typeof card>>, name: string) =>
  part.getByRole<HTMLSelectElement>('combobox', { name });

/** The browser's clock is in this time zone. */
function liveIn(timeZone: string): void {
  const options = new Intl.DateTimeFormat().resolvedOptions();
  jest.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone });
}

describe('settings for updates', () => {
  it('show that nothing is installed automatically', async () => {
    show();
    const part = await card('Updates');
    await part.findByText('Off');
    expect(facts(part)).toEqual([['Automatic updates', 'Off']]);
  });

  it('show the next window in its time zone and in that of the reader', async () => {
    liveIn('America/New_York');
    show({ settings: CHOSEN, window: WINDOW });
    const part = await card('Updates');
    await part.findByText('Security updates and bug fixes');
    expect(facts(part)).toEqual([
      ['Automatic updates', 'Security updates and bug fixes'],
      ['Window', 'Sat and Sun, from 03:00 for 2 hoursEurope/Berlin'],
      ['Next window', 'Sun 22 Nov, 03:00 to 05:00 (Europe/Berlin)Sat 21 Nov, 21:00 to 23:00 (America/New_York)'],
    ]);
  });

  it('show the window of a planned reboot, which moves with it, and keep its time zone', async () => {
    liveIn('Europe/Stockholm');
    show({ window: WINDOW, reboot: { since: null, packages: [], is_planned: true } });
    const part = await card('Updates');
    await part.findByText('Planned reboot');
    expect(facts(part).map(([term]) => term)).toEqual(['Automatic updates', 'Window', 'Planned reboot']);
    await press('Change', part);
    expect(part.getByText('A reboot is planned. It moves with the window.')).toBeInTheDocument();
    expect(select(part, 'Time zone').value).toBe('UTC');
  });

  it('show that the version is held', async () => {
    show({ settings: { ...CHOSEN, is_held: true }, window: WINDOW });
    const part = await card('Updates');
    expect(await part.findByText('Held. No update is installed.')).toBeInTheDocument();
    expect(part.queryByText('Next window')).not.toBeInTheDocument();
  });

  it('are applied by Save only, and start with the time zone of the browser', async () => {
    liveIn('Europe/Stockholm');
    const { requested, reply } = show();
    const part = await card('Updates');
    await press('Change', part);
    expect(select(part, 'Time zone').value).toBe('Europe/Stockholm');
    await userEvent.selectOptions(select(part, 'Automatic updates'), 'Security updates');
    for (const day of ['Monday', 'Wednesday']) await userEvent.click(part.getByRole('checkbox', { name: day }));
    await userEvent.selectOptions(select(part, 'Begins at'), '04:00');
    await userEvent.selectOptions(select(part, 'Length'), '1 hour');
    expect(requested('PUT', '/deployments/1053/update-settings')).toEqual([]);
    const settings = { ...CHOSEN, automatic: 'security' as const, time_zone: 'Europe/Stockholm' };
    reply({ [SETTINGS]: { body: updatesOf({ settings }) }, [UPDATES]: { body: updatesOf({ settings }) } });
    await press('Save', part);
    expect(await screen.findByText('The settings for updates were saved.')).toBeInTheDocument();
    expect(requested('PUT', '/deployments/1053/update-settings').map(({ body }) => body)).toEqual([
      {
        automatic: 'security',
        is_held: false,
        days: [0, 2, 4, 5, 6],
        hour: 4,
        hours: 1,
        time_zone: 'Europe/Stockholm',
        reason: null,
      },
    ]);
    expect(await part.findByText('Security updates')).toBeInTheDocument();
    expect(part.queryByRole('button', { name: 'Save' })).not.toBeInTheDocument();
  });

  it('keep a saved time zone', async () => {
    show({ settings: CHOSEN, window: WINDOW });
    const part = await card('Updates');
    await press('Change', part);
    expect(select(part, 'Time zone').value).toBe('Europe/Berlin');
    expect(part.getByRole('checkbox', { name: 'Sunday' })).toBeChecked();
    expect(part.getByRole('checkbox', { name: 'Monday' })).not.toBeChecked();
  });

  it('need at least one day', async () => {
    show({ settings: { ...CHOSEN, days: [1] }, window: WINDOW });
    const part = await card('Updates');
    await press('Change', part);
    await userEvent.click(part.getByRole('checkbox', { name: 'Monday' }));
    expect((await part.findByText('Select at least one day.')).getAttribute('role')).toBe('alert');
    expect(part.getByRole('button', { name: 'Save' })).toBeDisabled();
  });

  it('need a reason from staff', async () => {
    const { requested, reply } = show({ settings: CHOSEN, window: WINDOW }, { user: ADMIN });
    const part = await card('Updates');
    await press('Change', part);
    await userEvent.click(part.getByRole('checkbox', { name: 'Hold this version' }));
    expect(part.getByRole('button', { name: 'Save' })).toBeDisabled();
    await userEvent.type(part.getByRole('textbox', { name: 'Reason' }), 'Requested by phone');
    reply({ [SETTINGS]: { body: updatesOf({ settings: { ...CHOSEN, is_held: true } }) } });
    await press('Save', part);
    await waitFor(() =>
      expect(requested('PUT', '/deployments/1053/update-settings').map(({ body }) => body)).toEqual([
        { ...CHOSEN, is_held: true, reason: 'Requested by phone' },
      ]),
    );
  });

  it('show the reason of a refusal at its field', async () => {
    const { reply } = show({ settings: CHOSEN, window: WINDOW });
    const part = await card('Updates');
    await press('Change', part);
    const { detail, code } = UPDATE_MESSAGES.time_zone_unknown;
    const problem = { path: 'time_zone', message: detail, code, facts: {} };
    reply({
      [SETTINGS]: {
        status: 422,
        body: { code: 'FIELDS_INVALID', detail: 'Some fields are wrong.', errors: [problem] },
      },
    });
    await press('Save', part);
    await waitFor(() => expect(select(part, 'Time zone')).toHaveAccessibleDescription(detail));
  });
});
