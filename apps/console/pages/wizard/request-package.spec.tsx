import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { type Driven, openWizard } from './testing';

const REQUEST = 'POST /deployments/package-request';
const BOTH = 'Please fill in both fields';

async function opensRequest(reply: { status?: number; body: unknown }): Promise<Driven> {
  const wizard = openWizard({ more: { [REQUEST]: reply } });
  await screen.findByText('Pangolin+');
  await wizard.user.click(screen.getByRole('button', { name: 'Request Package' }));
  return wizard;
}
const types = async ({ user }: Driven, label: string, text: string): Promise<void> => {
  await user.click(screen.getByLabelText(label));
  await user.paste(text);
};
const submits = ({ user }: Driven) => user.click(screen.getByRole('button', { name: 'Submit request' }));
const requests = ({ calls }: Driven) => calls.filter(({ path }) => path === '/deployments/package-request');

describe('package request', () => {
  it.each([
    ['an empty form', {}, 'Package name'],
    ['a missing reason', { 'Package name': 'Gitea' }, 'Reason'],
    ['a missing name', { Reason: 'We need it.' }, 'Package name'],
  ])('sends nothing for %s', async (_, typed, missing) => {
    const wizard = await opensRequest({ body: { message: 'Thank you.' } });
    for (const [label, text] of Object.entries(typed)) await types(wizard, label, text);
    await submits(wizard);
    expect(screen.getAllByText(BOTH)).toHaveLength(1);
    expect(screen.getByLabelText(missing)).toHaveFocus();
    expect(requests(wizard)).toHaveLength(0);
  });

  it('keeps the input after closing until it is sent', async () => {
    const wizard = await opensRequest({ body: { message: 'Thank you.' } });
    await types(wizard, 'Package name', 'Gitea');
    await types(wizard, 'Reason', 'We need it.');
    await wizard.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await wizard.user.click(screen.getByRole('button', { name: 'Request Package' }));
    expect(screen.getByLabelText('Package name')).toHaveValue('Gitea');
    expect(screen.getByLabelText('Reason')).toHaveValue('We need it.');
    await submits(wizard);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await wizard.user.click(screen.getByRole('button', { name: 'Request Package' }));
    expect(screen.getByLabelText('Package name')).toHaveValue('');
    expect(requests(wizard)).toHaveLength(1);
  });
});
