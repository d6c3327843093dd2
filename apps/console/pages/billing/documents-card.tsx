import type { BillingDocumentAnswer } from '@moorage/contracts';
import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { SectionCard, Loaded } from '../../ui/card';
import { RecordTable } from '../../ui/record-table';
import { fetchDocument, useDocuments, useStatement, useStatementMonths } from '../../data/billing-documents';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { currentLocale } from '../../texts/locale';
import { exactInstant, fullDay } from '../../ui/dates';
import { money } from '../../ui/money';
import { PageLinks } from '../../ui/list/page-links';
import { refusalText } from '../../data/problem-message';
import { saveFile } from '../../ui/save-file';
import { Button } from '../../ui/button';

/** Receipts, credit notes and statements as PDF files. */
export function DocumentsCard() {
  const t = useText();
  const [query] = useSearchParams();
  const requested = Number(query.get('documents') ?? 1);
  const page = Number.isSafeInteger(requested) && requested > 0 ? requested : 1;
  const addressOf = (to: number): string => {
    const next = new URLSearchParams(query);
    next.set('documents', String(to));
    return `/billing?${next.toString()}`;
  };
  return (
    <SectionCard id="documents" title={t('billing.documents.title')}>
      <StatementForm />
      <Loaded query={useDocuments(page)} failed={t('billing.documents.failed')}>
        {({ documents, current_page, total_pages }) => (
          <>
            {documents.length === 0 ? (
              <p className="pad muted">{t('billing.documents.none')}</p>
            ) : (
              <DocumentTable rows={documents} />
            )}
            {total_pages > 1 ? (
              <div className="pager">
                <span className="grow" />
                <PageLinks page={current_page} total={total_pages} addressOf={addressOf} />
              </div>
            ) : null}
          </>
        )}
      </Loaded>
    </SectionCard>
  );
}

function DocumentTable({ rows }: { rows: readonly BillingDocumentAnswer[] }) {
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
      action={{ label: t('billing.documents.download'), render: (row) => <DownloadButton row={row} /> }}
    />
  );
}

/** Downloads a document and shows a toast on failure. */
function useDownload(): { busy: boolean; download: (find: () => Promise<BillingDocumentAnswer>) => Promise<void> } {
  const t = useText();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const download = async (find: () => Promise<BillingDocumentAnswer>): Promise<void> => {
    setBusy(true);
    try {
      const document = await find();
      saveFile(await fetchDocument(document), `${document.number}.pdf`);
    } catch (error) {
      toast(refusalText(error, t('billing.documents.download_failed')), { type: 'error' });
    } finally {
      setBusy(false);
    }
  };
  return { busy, download };
}

function DownloadButton({ row }: { row: BillingDocumentAnswer }) {
  const t = useText();
  const { busy, download } = useDownload();
  return (
    <Button
      size="small"
      aria-label={t('billing.documents.download_what', { number: row.number })}
      busy={busy}
      onClick={() => void download(() => Promise.resolve(row))}
      icon={Download}
    >
      {busy ? t('billing.documents.downloading') : t('billing.documents.download')}
    </Button>
  );
}

/** Form for the statement of a completed month, which is issued on first request. */
function StatementForm() {
  const t = useText();
  const id = useId();
  const { data: months = [], isSuccess } = useStatementMonths();
  const statement = useStatement();
  const { busy, download } = useDownload();
  const [chosen, setChosen] = useState<string | null>(null);
  const month = chosen ?? months[0]?.month;
  if (month === undefined)
    return isSuccess ? <p className="pad muted small">{t('billing.documents.no_statement')}</p> : null;
  return (
    <form
      className="pad statement-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void download(() => statement.mutateAsync(month));
      }}
    >
      <label htmlFor={id}>{t('billing.documents.statement_of')}</label>
      <span className="in">
        <select id={id} value={month} onChange={({ target }) => setChosen(target.value)}>
          {months.map((each) => (
            <option key={each.month} value={each.month}>
              {monthName(each.month)}
            </option>
          ))}
        </select>
      </span>
      <Button type="submit" size="small" busy={busy} icon={Download}>
        {busy ? t('billing.documents.downloading') : t('billing.documents.statement')}
      </Button>
    </form>
  );
}

/** Formats a month, such as `November 2026`. */
const monthName = (month: string): string =>
  new Intl.DateTimeFormat(currentLocale() === 'de' ? 'de-DE' : 'en-GB', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${month}-01`));
