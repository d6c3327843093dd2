import { LOCALES } from '../../texts/locale';
import { useText } from '../../texts/console-i18n';
import { bothForms } from '../../ui/both-forms';
import { dayWithYear, exactInstant } from '../../ui/dates';
import { Instant } from '../../ui/instant';
import { Facts } from '../../ui/record-screen';
import { type KnownUser, UserPayments, UserRunway } from './user-money';
import { useUserSessions } from './user-records';

/** Facts of an account. */
export function UserFacts({ user }: { user: KnownUser }) {
  const t = useText();
  return (
    <Facts
      rows={[
        [t('users.user_id'), user.id],
        [
          t('users.email'),
          user.email_undeliverable ? <Undeliverable key="email" email={user.email} /> : bothForms(user.email),
        ],
        user.pending_email === null ? null : [t('person.pending_email'), user.pending_email],
        [t('users.role'), user.is_admin ? t('users.is_admin') : t('users.is_user')],
        [t('users.verified'), user.is_verified ? t('users.yes') : t('users.no')],
        [t('person.two_factor'), user.has_two_factor ? t('person.on') : t('person.off')],
        [t('person.language'), LOCALES.find(({ locale }) => locale === user.language)?.name],
        [
          t('users.created'),
          <span key="at" title={exactInstant(user.created_at)}>
            {dayWithYear(user.created_at)}
          </span>,
        ],
        [t('person.last_activity'), <LastActivity key="activity" id={user.id} />],
        [t('users.running'), user.active_deployments],
        [t('person.runway'), <UserRunway key="runway" id={user.id} />],
        [t('person.payments.label'), <UserPayments key="payments" user={user} />],
      ]}
    />
  );
}

function Undeliverable({ email }: { email: string }) {
  const t = useText();
  return (
    <>
      {bothForms(email)} <span className="tag brass">{t('person.undeliverable')}</span>
    </>
  );
}

/** Last activity according to active sessions. */
function LastActivity({ id }: { id: number }) {
  const t = useText();
  const { data: sessions, isError } = useUserSessions(id);
  const last = sessions?.[0];
  if (last !== undefined) return <Instant iso={last.last_used_at} />;
  if (sessions !== undefined || isError) return <span className="muted">{t('person.unknown')}</span>;
  return <span className="skel late" style={{ width: 140 }} />;
}
