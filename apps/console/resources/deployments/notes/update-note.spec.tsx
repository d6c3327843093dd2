import { describe, expect, it } from '@jest/globals';
import { BACKUP_MESSAGES, joined, UPDATE_MESSAGES } from '@moorage/domain';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { card, showPage } from '../page/testing';
import { lastUpdateOf, updatesOf } from '../testing';

const TITLE = 'The update from 1.23.0 to 1.24.0-2 failed';
const failure = joined([UPDATE_MESSAGES.taken_back({ version: '1.23.0' }), BACKUP_MESSAGES.gone]);
const undone = lastUpdateOf({ state: 'failed', was_undone: true, failure, finished_at: '2026-11-21T14:10:00.000Z' });

const show = (over: Parameters<typeof lastUpdateOf>[0] = {}, tab = '') =>
  showPage(
    {},
    { tab, more: { 'GET /deployments/1053/updates': { body: updatesOf({ last: { ...undone, ...over } }) } } },
  );

describe('note about an update that failed', () => {
  it('says above every tab what became of it and why, and leads to the versions', async () => {
    show({}, '/activity');
    const note = (await screen.findByText(TITLE)).closest('.note');
    expect(note?.textContent).toContain(
      'The update was undone. The deployment runs version 1.23.0 with the data from before.',
    );
    expect(note?.textContent).toContain(BACKUP_MESSAGES.gone.detail);
    await userEvent.click(screen.getByRole('link', { name: 'See versions' }));
    expect(await card('Version')).toBeDefined();
    expect(screen.getByText(TITLE)).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'See versions' })).not.toBeInTheDocument();
  });

  it.each([
    ['a later update is running', { state: 'running', finished_at: null }],
    ['a later update has succeeded', { state: 'done' }],
    ['14 days have passed', { finished_at: '2026-11-07T14:10:00.000Z' }],
  ] as const)('is gone when %s', async (_, over) => {
    show(over);
    await (await card('Version')).findByText('Pangolin 1.23.0');
    expect(screen.queryByText(TITLE)).not.toBeInTheDocument();
  });
});
