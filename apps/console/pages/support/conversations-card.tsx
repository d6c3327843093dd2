import { keepPreviousData } from '@tanstack/react-query';
import { Navigate } from 'react-router-dom';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { SectionCard, Loaded } from '../../ui/card';
import { useListAddress } from '../../ui/list/list-address';
import { PageLinks } from '../../ui/list/page-links';
import { ConversationTable } from './conversation-table';

/** The user's conversations with support, in pages. */
export function ConversationsCard() {
  const t = useText();
  const { page, addressWith } = useListAddress();
  const conversations = useRead(
    'support',
    'GET /support/conversations',
    { query: { page } },
    { placeholderData: keepPreviousData },
  );
  return (
    <SectionCard id="conversations" title={t('support.list.title')}>
      <Loaded query={conversations} failed={t('support.list.failed')}>
        {({ conversations: rows, current_page: current, total_pages: pages }) =>
          // The page number was typed in by hand.
          current > Math.max(1, pages) ? (
            <Navigate replace to={addressWith({ page: Math.max(1, pages) })} />
          ) : rows.length === 0 ? (
            <div className="empty" role="status">
              <h3>{t('support.list.none')}</h3>
              <p className="soft">{t('support.list.none_hint')}</p>
            </div>
          ) : (
            <div aria-busy={conversations.isPlaceholderData}>
              <ConversationTable rows={rows} />
              {pages <= 1 ? null : (
                <div className="pager">
                  <span className="grow" />
                  <PageLinks page={current} total={pages} addressOf={(number) => addressWith({ page: number })} />
                </div>
              )}
            </div>
          )
        }
      </Loaded>
    </SectionCard>
  );
}
