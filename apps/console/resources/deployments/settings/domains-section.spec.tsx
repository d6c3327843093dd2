import { describe, expect, it } from '@jest/globals';
import type { DeploymentDomainsAnswer, FurtherDomainAnswer } from '@moorage/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Replies, settingsOf, USER } from '../../../testing/console-fixture';
import { card, showPage } from '../page/testing';
import { certificateOf, domainsOf, NOW } from '../testing';

const furtherOf = (over: Partial<FurtherDomainAnswer> = {}): FurtherDomainAnswer => ({
  id: 7,
  host: 'www.harbour-lights.example',
  kind: 'redirect',
  state: 'record_missing',
  record: { type: 'A', value: '203.0.113.41', right: false, reason: null },
  certificate: null,
  failure: null,
  added_at: NOW,
  checked_at: NOW,
  ...over,
});

const repliesOf = (over: Partial<DeploymentDomainsAnswer> = {}): Replies => ({
  'GET /deployments/1053/domains': { body: domainsOf(over) },
  'GET /console/settings': { body: settingsOf() },
});

async function shown(domains: FurtherDomainAnswer[] = [], { over = {}, more = {}, user = USER, deployment = {} } = {}) {
  const page = showPage(deployment, { tab: '/settings', more: { ...repliesOf({ domains, ...over }), ...more }, user });
  const domainsCard = await card('Domains');
  await domainsCard.findByText('Primary');
  return { ...page, card: domainsCard };
}

describe('domains of a deployment', () => {
  it('start with its own address and the days of its certificate', async () => {
    const { card: shownCard } = await shown();
    expect(shownCard.getByText('admin.harbour-lights.example')).toBeInTheDocument();
    expect(shownCard.getByText('Certificate valid, 61 days')).toBeInTheDocument();
  });

  it.each<[FurtherDomainAnswer['state'], Partial<FurtherDomainAnswer>, string]>([
    ['setting_up', {}, 'Being set up'],
    ['record_missing', {}, 'DNS record missing'],
    [
      'active',
      { certificate: certificateOf({ expires_at: '2026-12-31T15:00:00.000Z' }) },
      'Certificate valid, 40 days',
    ],
    ['certificate_failed', { certificate: certificateOf({ state: 'refused' }) }, 'Certificate refused'],
    ['removing', {}, 'Being removed'],
    ['given_up', {}, 'No longer checked'],
  ])('show that one is %s', async (state, over, words) => {
    const { card: shownCard } = await shown([furtherOf({ state, ...over })]);
    expect(shownCard.getByText('Redirects to admin.harbour-lights.example')).toBeInTheDocument();
    expect(shownCard.getByText(words)).toBeInTheDocument();
    expect(shownCard.queryAllByRole('button', { name: /^Remove/ })).toHaveLength(state === 'removing' ? 0 : 1);
  });

  it('state why the last change of the domain was not applied', async () => {
    const detail = 'There is no A record for admin.other-lights.example yet.';
    const change = {
      state: 'failed',
      fields: ['domain'],
      requested_at: NOW,
      finished_at: NOW,
      failure: { code: 'stored', facts: {}, detail },
    };
    const more = { 'GET /deployments/1053/configuration': { body: { values: [], change } } };
    const { card: shownCard } = await shown([], { more });
    expect(await shownCard.findByText(detail)).toBeInTheDocument();
  });

  it('show the record that is missing', async () => {
    const { card: shownCard } = await shown([furtherOf()]);
    await userEvent.click(shownCard.getByRole('button', { name: 'Show record' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('DNS record for www.harbour-lights.example')).toBeInTheDocument();
    expect(dialog.getByText('203.0.113.41')).toBeInTheDocument();
  });

  it('get another one, which is suggested', async () => {
    const { card: shownCard, requested, reply } = await shown();
    reply({ 'POST /deployments/1053/domains': { status: 201, body: furtherOf({ state: 'setting_up' }) } });
    await userEvent.click(shownCard.getByRole('button', { name: 'Add domain' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.type(dialog.getByRole('textbox', { name: 'Domain' }), 'admin.harbour-lights.example');
    await userEvent.click(dialog.getByRole('button', { name: 'Add domain' }));
    expect(await dialog.findByText('This deployment already uses admin.harbour-lights.example.')).toBeInTheDocument();
    expect(requested('POST', '/deployments/1053/domains')).toHaveLength(0);
    await userEvent.click(dialog.getByRole('button', { name: /www\.harbour-lights\.example/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Add domain' }));
    await waitFor(() =>
      expect(requested('POST', '/deployments/1053/domains').map(({ body }) => body)).toEqual([
        { host: 'www.harbour-lights.example' },
      ]),
    );
    expect(await screen.findByText('Domain www.harbour-lights.example added.')).toBeInTheDocument();
  });

  it('show the refusal of the server at the field', async () => {
    const { card: shownCard, reply } = await shown();
    const message = 'www.harbour-lights.example belongs to another deployment.';
    reply({
      'POST /deployments/1053/domains': {
        status: 422,
        body: { detail: message, code: 'FIELDS_INVALID', errors: [{ path: 'host', message }] },
      },
    });
    await userEvent.click(shownCard.getByRole('button', { name: 'Add domain' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: /www\.harbour-lights\.example/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Add domain' }));
    expect(await dialog.findByText(message)).toBeInTheDocument();
  });

  it('lose one after a confirmation that says the consequence', async () => {
    const { card: shownCard, requested, reply } = await shown([furtherOf()]);
    reply({
      'DELETE /deployments/1053/domains/7': { body: domainsOf({ domains: [furtherOf({ state: 'removing' })] }) },
    });
    await userEvent.click(shownCard.getByRole('button', { name: 'Remove www.harbour-lights.example' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText(/will no longer redirect to admin\.harbour-lights\.example/)).toBeInTheDocument();
    await userEvent.click(dialog.getByRole('button', { name: 'Remove domain' }));
    await waitFor(() => expect(requested('DELETE', '/deployments/1053/domains/7')).toHaveLength(1));
  });

  it('cannot be changed during a restart', async () => {
    const restarting = await shown([], { deployment: { status: 'RESTARTING' } });
    expect(restarting.card.getByRole('button', { name: 'Add domain' })).toHaveAttribute('aria-disabled', 'true');
  });

  it('are not offered where the package has no redirects', async () => {
    const { card: shownCard } = await shown([], { over: { offered: false } });
    expect(shownCard.getByText("This package doesn't support further domains.")).toBeInTheDocument();
    expect(shownCard.queryByRole('button', { name: 'Add domain' })).not.toBeInTheDocument();
  });
});
