import { describe, expect, it, jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useAddUndoableMutation, useNotify } from 'react-admin';
import { press, showInConsole } from '../testing/console-fixture';

/** Starts a mutation that can be undone, as react-admin's hooks do. */
function Starter({ name, onEnd }: { name: string; onEnd: (end: { isUndo: boolean }) => void }) {
  const notify = useNotify();
  const addMutation = useAddUndoableMutation();
  const start = (): void => {
    addMutation(onEnd);
    notify(name, { undoable: true, autoHideDuration: null, messageArgs: { _: name } });
  };
  return (
    <button type="button" onClick={start}>
      {`Start ${name}`}
    </button>
  );
}

function Speaker({ type }: { type: 'success' | 'warning' | 'error' }) {
  const notify = useNotify();
  return (
    <button type="button" onClick={() => notify('ra.notification.updated', { type, messageArgs: { smart_count: 1 } })}>
      Notify
    </button>
  );
}

describe('notifications of react-admin', () => {
  it.each([
    ['success', 'status'],
    ['warning', 'status'],
    ['error', 'alert'],
  ] as const)('of type %s have the role %s', async (type, role) => {
    showInConsole(<Speaker type={type} />, { replies: {} });
    await press('Notify');
    expect(await within(await screen.findByRole(role)).findByText('Element updated')).toBeInTheDocument();
  });

  it('undo their own mutation, and end it when they are dismissed', async () => {
    const [first, second] = [jest.fn(), jest.fn()];
    showInConsole(
      <>
        <Starter name="first" onEnd={first} />
        <Starter name="second" onEnd={second} />
      </>,
      { replies: {} },
    );
    await press('Start first');
    await press('Start second');
    const [, undoSecond] = await screen.findAllByRole('button', { name: 'Undo' });
    if (undoSecond === undefined) throw new Error('the second notification has no button');
    await userEvent.click(undoSecond);
    expect(second.mock.calls).toEqual([[{ isUndo: true }]]);
    expect(first).not.toHaveBeenCalled();
    await press('Dismiss');
    expect(first.mock.calls).toEqual([[{ isUndo: false }]]);
    expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
  });

  it('warn before the page is left while they can be undone', async () => {
    showInConsole(<Starter name="first" onEnd={() => undefined} />, { replies: {} });
    const isWarned = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    await press('Start first');
    await screen.findByRole('button', { name: 'Undo' });
    expect(isWarned()).toBe(true);
    await press('Undo');
    expect(isWarned()).toBe(false);
  });
});
