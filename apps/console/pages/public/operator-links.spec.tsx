import { beforeAll, describe, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { loadConsoleSettings } from '../../data/brand';
import { settingsOf } from '../../testing/console-fixture';
import { open, serveApi } from './testing';

const footer = async () => within(await screen.findByRole('contentinfo')).getAllByRole('link');
const outside = (links: readonly HTMLElement[]) =>
  links
    .filter((link) => link.getAttribute('target') === '_blank')
    .map((link) => [link.textContent, link.getAttribute('href')]);

describe('public pages without pages of the operator', () => {
  it('have no links to them', async () => {
    serveApi({});
    open('/signup');
    expect(outside(await footer())).toEqual([]);
    expect(screen.queryByText(/By creating an account/)).not.toBeInTheDocument();
  });
});

describe('public pages with pages of the operator', () => {
  const links = { ...settingsOf().links, terms: 'https://example.com/terms', forum: 'https://forum.example.com/' };
  beforeAll(async () => {
    serveApi({ 'GET /console/settings': () => ({ body: settingsOf({ links }) }) });
    await loadConsoleSettings();
  });

  it('link those that exist in the footer, and the terms before an account is created', async () => {
    serveApi({});
    open('/signup');
    expect(outside(await footer())).toEqual([
      ['Community forum', 'https://forum.example.com/'],
      ['Terms of service', 'https://example.com/terms'],
    ]);
    const consent = await screen.findByText(/By creating an account/);
    expect(consent).toHaveTextContent('By creating an account, you agree to the Terms of service.');
    expect(within(consent).getByRole('link')).toHaveAttribute('href', 'https://example.com/terms');
  });

  it('link the forum at the level that includes it', async () => {
    serveApi({});
    open('/pricing');
    const level = (await screen.findByText('Community forum and docs')).closest('dd') as HTMLElement;
    expect(within(level).getByRole('link', { name: 'Community forum' })).toBeInTheDocument();
  });
});
