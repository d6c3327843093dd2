import { afterEach, describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { showInConsole } from '../../../testing/console-fixture';
import { onNarrowScreen } from '../../../testing/screen-size';
import { closeSupport } from '../../../parts/support/support-desk';
import { Support } from '../../../parts/support/support';
import '../../../parts/support/support-panel';
import Dashboard from '../list';
import { deploymentOf, repliesFor } from '../testing';

const SLOW = { timeout: 10_000 };
const FIRST = deploymentOf({ status: 'FAILED' });
const SECOND = deploymentOf({ id: 1042, client_name: 'maralind-coolify-871330', status: 'PROVISIONING' });

afterEach(() => act(closeSupport));

async function openFrom(deployment: typeof FIRST, { docked }: { docked: boolean }): Promise<void> {
  if (!docked) onNarrowScreen();
  showInConsole(
    <>
      <Dashboard />
      <Support />
    </>,
    { replies: repliesFor([FIRST, SECOND]), at: `/dashboard?deployment=${deployment.id}` },
  );
  await screen.findByRole('heading', { name: deployment.client_name, level: 2 }, SLOW);
  await userEvent.click(await screen.findByRole('button', { name: 'Ask support' }, SLOW));
  await screen.findByRole('dialog', { name: 'Contact support' }, SLOW);
}
const mention = (id: number) => screen.getByRole('checkbox', { name: `Mention deployment #${id}` });
const details = ({ client_name: name }: typeof FIRST) => screen.queryByRole('heading', { name, level: 2 });

describe('contacting support from the details', () => {
  it('opens the panel beside them with the deployment named, also while no other action is possible', async () => {
    await openFrom(SECOND, { docked: true });
    expect(mention(1042)).toBeChecked();
    expect(details(SECOND)).toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    expect(screen.getByRole('button', { name: 'Ask support' })).toHaveFocus();
  });

  it('hides details that cover the page and shows them again when it closes', async () => {
    await openFrom(FIRST, { docked: false });
    expect(mention(1053)).toBeChecked();
    await waitFor(() => expect(details(FIRST)).not.toBeInTheDocument());
    expect(screen.getByLabelText('Subject')).toHaveFocus();
    await userEvent.keyboard('Server{Escape}');
    await waitFor(() => expect(details(FIRST)).toBeInTheDocument());
    await waitFor(() => expect(details(FIRST)).toHaveFocus());
  });

  it('ends when the details of another deployment open', async () => {
    await openFrom(FIRST, { docked: false });
    await waitFor(() => expect(details(FIRST)).not.toBeInTheDocument());
    await userEvent.click(screen.getByRole('link', { name: SECOND.client_name }));
    await waitFor(() => expect(details(SECOND)).toBeInTheDocument());
    expect(screen.queryByRole('dialog', { name: 'Contact support' })).not.toBeInTheDocument();
  });
});
