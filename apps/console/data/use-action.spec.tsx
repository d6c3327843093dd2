import { describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { later, showInConsole } from '../testing/console-fixture';
import { useAction } from './use-action';

const RESTART = 'POST /deployments/{id}/restart';
const path = (id: number) => RESTART.replace('{id}', String(id));

function Buttons() {
  const { mutate } = useAction('deployments', 'restart');
  return [1, 2].map((id) => (
    <button key={id} type="button" onClick={() => mutate({ params: { id }, body: {} })}>
      Restart {id}
    </button>
  ));
}

function Resend() {
  const { mutate } = useAction('account', 'resendVerification');
  return (
    <button type="button" onClick={() => mutate()}>
      Resend
    </button>
  );
}

describe('action', () => {
  it('without arguments is requested once, too', async () => {
    const { requested } = showInConsole(<Resend />, { replies: { 'POST /users/resend-verification': { body: {} } } });
    const button = await screen.findByRole('button', { name: 'Resend' });
    button.click();
    button.click();
    await waitFor(() => expect(requested('POST', '/users/resend-verification')).toHaveLength(1));
  });

  it('is requested once while its answer is pending, even before the page shows that, and again afterwards', async () => {
    const first = later({ status: 409, body: { detail: 'Not now.', code: 'DEPLOYMENT_STATE' } });
    const { requested } = showInConsole(<Buttons />, { replies: { [path(1)]: first.reply, [path(2)]: { body: {} } } });
    const one = await screen.findByRole('button', { name: 'Restart 1' });
    one.click();
    one.click();
    screen.getByRole('button', { name: 'Restart 2' }).click();
    await waitFor(() => expect(requested('POST', '/deployments/2/restart')).toHaveLength(1));
    expect(requested('POST', '/deployments/1/restart')).toHaveLength(1);
    first.answer();
    await waitFor(() => {
      fireEvent.click(one);
      expect(requested('POST', '/deployments/1/restart')).toHaveLength(2);
    });
  });
});
