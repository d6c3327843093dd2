import { keepPreviousData } from '@tanstack/react-query';
import { useCanChange } from '../../data/session';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { Loaded, SectionCard } from '../../ui/card';
import { useListAddress } from '../../ui/list/list-address';
import { PageLinks } from '../../ui/list/page-links';
import { DocumentTable } from './document-table';
import { StatementForm } from './statement-form';

const PER_PAGE = 10;

/** Receipts, credit notes and statements as PDF files, newest first. */
export function DocumentsCard() {
  const t = useText();
  // A statement is issued when it is first requested.
  const canChange = useCanChange();
  const { text, addressWith } = useListAddress();
  const requested = Number(text('documents') ?? 1);
  const page = Number.isSafeInteger(requested) && requested > 0 ? requested : 1;
  const documents = useRead(
    'billing',
    'GET /billing/documents',
    { query: { page, per_page: PER_PAGE } },
    { placeholderData: keepPreviousData },
  );
  // The page of the transactions stays the same.
  const addressOf = (documents: number): string => addressWith({ page: text('page'), documents });
  return (
    <SectionCard id="documents" title={t('billing.documents.title')}>
      {canChange ? <StatementForm /> : null}
      <Loaded query={documents} failed={t('billing.documents.failed')}>
        {({ documents: rows, current_page, total_pages }) => (
          <>
            {rows.length === 0 ? (
              <p className="pad muted">{t('billing.documents.none')}</p>
            ) : (
              <DocumentTable rows={rows} />
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
