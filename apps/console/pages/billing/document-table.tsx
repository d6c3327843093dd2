import type { BillingDocumentAnswer } from '@moorage/contracts';
import { fetchDocument } from '../../data/billing';
import { useText } from '../../texts/console-i18n';
import { exactInstant, fullDay, monthName } from '../../ui/dates';
import { DownloadButton } from '../../ui/download-button';
import { money } from '../../ui/money';
import { RecordTable } from '../../ui/record-table';

/** Table of issued documents. */
export function DocumentTable({ rows }: { rows: readonly BillingDocumentAnswer[] }) {
  const t = useText();
  return (
    <RecordTable
      label={t('billing.documents.title')}
      rows={rows}
      columns={[
        {
          label: t('billing.documents.document'),
          render: ({ kind, number, month }) => (
            <>
              {t(`billing.documents.kinds.${kind}`)}
              {month === null ? '' : ` ${monthName(month)}`} <span className="muted">{number}</span>
            </>
          ),
        },
        {
          label: t('billing.documents.issued'),
          render: ({ issued_at: at }) => <span title={exactInstant(at)}>{fullDay(at)}</span>,
        },
        {
          label: t('billing.documents.amount'),
          render: ({ amount, kind }) =>
            amount === null ? '' : money(kind === 'credit_note' ? -amount : amount, { rounding: 'half_up' }),
        },
      ]}
      action={{ label: t('billing.documents.download'), render: (row) => <DownloadDocument document={row} /> }}
    />
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
