import type { AdminUserAnswer, UserMail } from '@moorage/contracts';
import { Ban, Hourglass } from 'lucide-react';
import { SectionCard, Loaded } from '../../ui/card';
import { Instant } from '../../ui/instant';
import { DataTable } from '../../ui/data-table';
import { useUserEmails } from './user-records';
import { useText } from '../../texts/console-i18n';
import { MessageText } from '../../ui/message-text';
import { Newest } from './newest-records';

const Column = DataTable.Col<UserMail>;

/** Emails sent to an account, with their time but not their content. */
export function UserEmails({ user: { id } }: { user: AdminUserAnswer }) {
  const t = useText();
  return (
    <SectionCard id="mails" title={t('person.mails.title')}>
      <Loaded query={useUserEmails(id)} failed={t('person.mails.failed')}>
        {(rows) => (
          <Newest rows={rows} none={t('person.mails.none')}>
            {(shown) => (
              <DataTable label={t('person.mails.title')} rows={shown}>
                <Column label={t('person.mails.what')} render={({ title }) => <MessageText message={title} />} />
                <Column label={t('person.mails.when')} render={({ created_at: at }) => <Instant iso={at} />} />
                <Column label={t('person.mails.sent')} render={(mail) => <Sent mail={mail} />} />
              </DataTable>
            )}
          </Newest>
        )}
      </Loaded>
    </SectionCard>
  );
}

function Sent({ mail: { sent_at, given_up_at, is_refused } }: { mail: UserMail }) {
  const t = useText();
  if (sent_at !== null) return <Instant iso={sent_at} />;
  const Icon = given_up_at === null ? Hourglass : Ban;
  return (
    <span className={given_up_at === null ? 'tag brass' : 'tag off'}>
      <Icon size={12} aria-hidden="true" />
      {t(is_refused ? 'person.mails.refused' : given_up_at === null ? 'person.mails.waits' : 'person.mails.given_up')}
    </span>
  );
}
