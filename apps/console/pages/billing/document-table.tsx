import type { BillingDocumentAnswer } from '@moorage/contracts';
import { fetchDocument } from '../../data/billing';
import { useText } from '../../texts/console-i18n';
import { DataTable } from '../../ui/data-table';
import { exactInstant, fullDay, monthName } from '../../ui/dates';
import { DownloadButton } from '../../ui/download-button';
import { money } from '../../ui/money';

const Column = DataTable.Col<BillingDocumentAnswer>;

/** Table of issued documents. */
export function DocumentTable({ rows }: { rows: readonly BillingDocumentAnswer[] }) {
  const t = useText();
  return (
    <DataTable<BillingDocumentAnswer> label={t('billing.documents.title')} rows={rows}>
      <Column label={t('billing.documents.document')} render={(document) => <Name document={document} />} />
      <Column
        label={t('billing.documents.issued')}
        render={({ issued_at: at }) => <span title={exactInstant(at)}>{fullDay(at)}</span>}
      />
      <Column
        label={t('billing.documents.amount')}
        render={({ amount, kind }) =>
          amount === null ? '' : money(kind === 'credit_note' ? -amount : amount, { rounding: 'price' })
        }
      />
      <Column
        label={<span className="vh">{t('billing.documents.download')}</span>}
        render={(document) => <DownloadDocument document={document} />}
      />
    </DataTable>
  );
}

function Name({ document: { kind, month, number } }: { document: BillingDocumentAnswer }) {
  const t = useText();
  return (
    <>
      {t(`billing.documents.kinds.${kind}`)}
      {month === null ? '' : ` ${monthName(month)}`} <span className="muted">{number}</span>
    </>
  );
}

function DownloadDocument({ document }: { document: BillingDocumentAnswer }) {
  const t = useText();
  return (
    <DownloadButton
      size="small"
      label={t('billing.documents.download')}
      busyLabel={t('billing.documents.downloading')}
      failed={t('billing.documents.download_failed')}
      accessibleName={t('billing.documents.download_what', { number: document.number })}
      name={`${document.number}.pdf`}
      load={() => fetchDocument(document)}
    />
  );
}
