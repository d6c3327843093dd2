import { describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { onPhone } from '../testing/screen-size';
import { DataTable } from './data-table';

interface Token {
  readonly id: number;
  readonly label: string;
  readonly usedBy: string | null;
}

const Column = DataTable.Col<Token>;

function showTokens(...rows: Token[]) {
  render(
    <DataTable label="Tokens" rows={rows}>
      <Column label="Label" render={({ label }) => label} />
      <Column label="Used by" render={({ usedBy }) => usedBy} />
    </DataTable>,
  );
}

const NIGHTLY: Token = { id: 1, label: 'nightly', usedBy: 'cron' };
const UNUSED: Token = { id: 2, label: 'unused', usedBy: null };

describe('table of given records', () => {
  it('is a list of cards on a phone, which leave out columns without content', () => {
    onPhone();
    showTokens(NIGHTLY, UNUSED);
    const cards = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(cards).toEqual(['nightlyUsed bycron', 'unused']);
  });
});
