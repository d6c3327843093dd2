import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { USER } from '../../testing/console-fixture';
import { deploymentOf } from './testing';
import { NAME, showDetails, SLOW } from './drawer/testing';

const PENCIL = { name: 'Rename' };

async function opened(over = {}) {
  const shown = await showDetails({ status: 'READY', ...over });
  await userEvent.click(shown.part.getByRole('button', PENCIL));
  return { ...shown, field: shown.part.getByRole<HTMLInputElement>('textbox', { name: 'Name' }) };
}

describe('renaming a deployment', () => {
  it('shows the new name in details and list at once after Enter', async () => {
    const { part, sent, reply, field } = await opened();
    expect(field).toHaveValue(NAME);
    expect(field).toHaveFocus();
    const renamed = deploymentOf({ client_name: 'Harbour lights', version: 4 });
    reply({
      'PUT /deployments/1053/name': { body: renamed },
      'GET /deployments/1053': { body: renamed },
      'GET /deployments': { body: [renamed], headers: { 'x-total-count': '1' } },
    });
    await userEvent.clear(field);
    await userEvent.type(field, '  Harbour lights {Enter}');
    expect(await part.findByRole('heading', { name: 'Harbour lights', level: 2 })).toBeInTheDocument();
    expect(sent('PUT', '/name').map(({ body }) => body)).toEqual([{ name: 'Harbour lights' }]);
    expect(screen.getByRole('link', { name: 'Harbour lights' })).toBeInTheDocument();
    await waitFor(() => expect(part.getByRole('button', PENCIL)).toHaveFocus());
  });

  it('is cancelled with Escape while the details stay open', async () => {
    const { part, sent, field } = await opened();
    await userEvent.type(field, ' and more{Escape}');
    expect(part.getByRole('heading', { name: NAME, level: 2 })).toBeInTheDocument();
    expect(part.queryByRole('textbox', { name: 'Name' })).not.toBeInTheDocument();
    expect(sent('PUT', '/name')).toHaveLength(0);
  });

  it('is cancelled with Cancel', async () => {
    const { part, sent, field } = await opened();
    await userEvent.type(field, ' and more');
    await userEvent.click(part.getByRole('button', { name: 'Cancel' }));
    expect(part.queryByRole('textbox', { name: 'Name' })).not.toBeInTheDocument();
    expect(sent('PUT', '/name')).toHaveLength(0);
  });

  it.each([
    ['nothing', '   '],
    ['more than 60 characters', 'n'.repeat(61)],
  ])('rejects %s at the field without a request', async (_what, typed) => {
    const { part, sent, field } = await opened();
    await userEvent.clear(field);
    await userEvent.type(field, typed);
    await userEvent.click(part.getByRole('button', { name: 'Save name' }));
    expect((await part.findByRole('alert')).textContent).toBe('Use 1 to 60 characters.');
    expect(field).toHaveAttribute('aria-invalid', 'true');
    expect(sent('PUT', '/name')).toHaveLength(0);
  });

  it('shows the rejection of the server at the field', async () => {
    const { part, reply, field } = await opened();
    const message = 'Remove line breaks and other invisible characters.';
    reply({
      'PUT /deployments/1053/name': {
        status: 422,
        body: { detail: message, code: 'FIELDS_INVALID', errors: [{ path: 'name', message }] },
      },
    });
    await userEvent.type(field, '!{Enter}');
    expect((await part.findByRole('alert')).textContent).toBe(message);
    expect(field).toHaveValue(`${NAME}!`);
  });

  it('sends no request while the name is unchanged', async () => {
    const { part, sent, field } = await opened();
    await userEvent.type(field, ' {Enter}');
    await waitFor(() => expect(part.queryByRole('textbox', { name: 'Name' })).not.toBeInTheDocument());
    expect(sent('PUT', '/name')).toHaveLength(0);
  });

  it.each([
    ['to an administrator who is not its owner', { ...USER, id: 8, is_admin: true }],
    ['while the email is not verified', { ...USER, is_verified: false }],
  ])('is not offered %s', async (_whom, user) => {
    const { part } = await showDetails({ status: 'READY' }, {}, user);
    await part.findAllByRole('status', undefined, SLOW);
    expect(part.queryByRole('button', PENCIL)).not.toBeInTheDocument();
  });
});
