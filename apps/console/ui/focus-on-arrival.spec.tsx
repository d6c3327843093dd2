import { describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { FocusOnArrival } from './focus-on-arrival';

function Pages() {
  return (
    <>
      <Link to="/second">In the bar</Link>
      <Routes>
        <Route path="/first" element={<Link to="/second">On the page</Link>} />
        <Route
          path="/second"
          element={
            <main id="content">
              <h1>Second</h1>
            </main>
          }
        />
      </Routes>
      <FocusOnArrival at={useLocation().pathname} />
    </>
  );
}

describe('focus on another page', () => {
  const show = () =>
    render(
      <MemoryRouter initialEntries={['/first']}>
        <Pages />
      </MemoryRouter>,
    );

  it('goes to its heading if the link went with the page before', async () => {
    show();
    expect(document.body).toHaveFocus();
    await userEvent.click(screen.getByRole('link', { name: 'On the page' }));
    expect(screen.getByRole('heading', { name: 'Second' })).toHaveFocus();
  });

  it('stays on a link that is still there', async () => {
    show();
    await userEvent.click(screen.getByRole('link', { name: 'In the bar' }));
    expect(screen.getByRole('link', { name: 'In the bar' })).toHaveFocus();
  });
});
