import { readAllTransactions } from '../../data/billing';
import { useText } from '../../texts/console-i18n';
import { csvBlob } from '../../ui/csv';
import { DownloadButton } from '../../ui/download-button';
import { csvOf } from './transactions-csv';

/** Downloads all transactions as a file. */
export function ExportButton({ user }: { user: string | null }) {
  const t = useText();
  return (
    <DownloadButton
      label={t('billing.export')}
      busyLabel={t('billing.exporting')}
      failed={t('billing.failed')}
      name={user === null ? 'transactions.csv' : `transactions-${fileName(user)}.csv`}
      load={async () => csvBlob(csvOf(await readAllTransactions(user)))}
    />
  );
}

const fileName = (user: string): string => user.replace(/[^\p{L}\p{N}._-]+/gu, '_');
