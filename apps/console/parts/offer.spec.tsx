import { beforeAll, describe, expect, it } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { BackupsNote, SupportLevels } from '../pages/public/support-levels';
import { settingsOf, showInConsole } from '../testing/console-fixture';
import { leaveConsole } from '../testing/leave-console';
import { loadConsoleSettings } from '../data/brand';
import { placeOf, useWithOffer } from './offer';

const BACKUPS = { new: { hetzner: 'real', vultr: 'simulated', aws: 'off' }, own: 'off' } as const;

function Levels({ server_type, cloud }: { server_type: 'new' | 'vps'; cloud: string | null }) {
  const withOffer = useWithOffer(placeOf({ server_type, cloud_provider: cloud }));
  return <p>{([1, 2, 3] as const).map((level) => withOffer(`level ${level}`, level)).join('; ')}</p>;
}

const shown = async (levels: React.ReactElement) => {
  showInConsole(levels, { replies: {} });
  return (await screen.findByText(/^level 1/)).textContent;
};

describe('backup offer before the capabilities of the installation are known', () => {
  it('promises nothing', async () => {
    expect(await shown(<Levels server_type="new" cloud="hetzner" />)).toBe('level 1; level 2; level 3');
    leaveConsole();
    render(<SupportLevels />);
    expect(document.body.textContent?.replace('BackupsNo backups', '')).not.toMatch(/backup/i);
  });
});

describe('backup retention of a support level', () => {
  // Loaded once for the lifetime of the page.
  beforeAll(async () => {
    const body = { ...settingsOf(), backups: BACKUPS };
    showInConsole(<p />, { replies: { 'GET /console/settings': { body } } });
    await act(async () => void (await loadConsoleSettings()));
    leaveConsole();
  });

  it.each([
    [
      'real backups',
      'new',
      'hetzner',
      'level 1; level 2, daily backups kept for 7 days; level 3, daily backups kept for 28 days',
    ],
    [
      'simulated backups',
      'new',
      'vultr',
      'level 1; level 2, simulated daily backups kept for 7 days; level 3, simulated daily backups kept for 28 days',
    ],
    [
      'no backups',
      'new',
      'aws',
      'level 1; level 2, not backed up on this installation; level 3, not backed up on this installation',
    ],
    [
      'no backups',
      'vps',
      null,
      'level 1; level 2, not backed up on this installation; level 3, not backed up on this installation',
    ],
    ['unknown backups', 'new', 'elsewhere', 'level 1; level 2; level 3'],
  ] as const)('is shown with %s for a %s server at %s', async (_, type, cloud, words) => {
    expect(await shown(<Levels server_type={type} cloud={cloud} />)).toBe(words);
  });

  it('is on the pricing page, with the providers that have no backups', () => {
    render(
      <>
        <SupportLevels />
        <BackupsNote />
      </>,
    );
    expect(screen.getByText('Daily, kept for 7 days')).toBeInTheDocument();
    expect(screen.getByText('Daily, kept for 28 days')).toBeInTheDocument();
    expect(
      screen.getByText(
        'Servers of some providers are not backed up on this installation. Your own servers are not backed up on this installation.',
      ),
    ).toBeInTheDocument();
  });
});
