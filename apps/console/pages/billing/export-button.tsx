import { CONSTANTS } from '@moorage/domain';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { fetchTransactions } from '../../data/billing';
import { useText } from '../../texts/console-i18n';
import { saveFile } from '../../ui/save-file';
import { csvOf } from '../../parts/money/transactions-csv';
import type { Transaction } from '../../parts/money/transaction-messages';
import { Button } from '../../ui/button';

/** Downloads all transactions as a file. */
export function ExportButton({ user }: { user: string | null }) {
  const t = useText();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      saveFile(
        new Blob([csvOf(await allTransactions(user))], { type: 'text/csv;charset=utf-8' }),
        user === null ? 'transactions.csv' : `transactions-${fileName(user)}.csv`,
      );
    } catch {
      notify('billing.failed', { type: 'error' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button busy={busy} onClick={() => void save()} icon={Download}>
      {busy ? t('billing.exporting') : t('billing.export')}
    </Button>
  );
}

async function allTransactions(user: string | null): Promise<Transaction[]> {
  const rows: Transaction[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await fetchTransactions({ page, user, daysPerPage: CONSTANTS.transactionsDaysPerPageMax });
    rows.push(...answer.transactions.flatMap(({ transactions }) => transactions));
    if (!answer.has_next) return rows;
  }
}

const fileName = (user: string): string => user.replace(/[^\p{L}\p{N}._-]+/gu, '_');
