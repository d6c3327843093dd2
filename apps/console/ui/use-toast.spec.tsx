import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { showInConsole } from '../testing/console-fixture';
import { useToast } from './use-toast';

function Speaker({ title }: { title?: string }) {
  const toast = useToast();
  return (
    <button type="button" onClick={() => toast('Balance 100% done', title === undefined ? {} : { title })}>
      Say
    </button>
  );
}

describe('console toast', () => {
  it.each([
    ['only the message', undefined, 'Balance 100% done'],
    ['the title above the message', 'Adjusted', 'AdjustedBalance 100% done'],
  ])('has %s', async (_, title, text) => {
    showInConsole(<Speaker {...(title === undefined ? {} : { title })} />, { replies: {} });
    await userEvent.click(await screen.findByRole('button', { name: 'Say' }));
    expect((await screen.findByRole('status')).textContent).toBe(text);
  });
});
