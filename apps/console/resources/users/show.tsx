import type { AdminUserAnswer, AdminUserDetailsAnswer } from '@moorage/contracts';
import { Ban, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { ShowBase, useShowContext } from 'react-admin';
import { useParams, useSearchParams } from 'react-router-dom';
import { Instant } from '../../ui/instant';
import { BalanceSum } from '../../parts/money/balance-sum';
import {
  useUserCredits,
  useUserDeployments,
  useUserHistory,
  useUserEmails,
  useUserSessions,
  useUserSupport,
  useUserTopUp,
  useUserTransactions,
} from './user-records';
import { useRecent } from '../../data/recent';
import { useSession } from '../../data/session';
import { LOCALES } from '../../texts/locale';
import { useText } from '../../texts/console-i18n';
import { dayWithYear, exactInstant } from '../../ui/dates';
import { useLayoutReady } from '../../ui/use-layout-ready';
import { useTitle } from '../../ui/use-title';
import { AdminOnly } from '../../parts/admin-only';
import { UserDeployments } from './user-deployments';
import { UserHistory } from './user-history';
import { UserEmails, UserSupport } from './user-emails';
import { UserMenu } from './user-menu';
import { UserCredits, UserTransactions } from './user-money';
import { UserSessions } from './user-sessions';
import { UserTopUp } from './user-top-up';
import { Facts, RecordScreen } from '../../ui/record-screen';
import { ImpersonateDialog } from './impersonate-dialog';
import { bothForms } from '../../ui/both-forms';
import { Button } from '../../ui/button';
import { ButtonLink } from '../../ui/button-link';

const quiet = (): void => undefined;

/** Page of an account with everything that administrators may see. */
export default function UserShow() {
  return (
    <AdminOnly>
      <ShowBase resource="users" disableAuthentication queryOptions={{ onError: quiet }}>
        <UserDetails />
      </ShowBase>
    </AdminOnly>
  );
}

function UserDetails() {
  const t = useText();
  const { record: user, ...show } = useShowContext<AdminUserDetailsAnswer>();
  useRecent('user', Number(useParams().id), { name: user?.username, error: show.error });
  useTitle(user?.username ?? t('users.user'));
  return (
    <RecordScreen
      title={user?.username}
      tags={user === undefined ? null : <Tags user={user} />}
      back={{ to: '/users', label: t('users.back') }}
      failed={t('users.failed')}
      missing={t('users.not_found')}
      actions={user === undefined ? null : <Actions user={user} />}
    >
      {user === undefined ? null : (
        <div className="person">
          <Notes user={user} />
          <BalanceSum balance={user.balances} runway={undefined} credits={undefined} />
          <Cards user={user} />
        </div>
      )}
    </RecordScreen>
  );
}

function Cards({ user }: { user: AdminUserAnswer }) {
  const isPlaced = useLayoutReady([
    useUserDeployments(user.id),
    useUserTransactions(user),
    useUserCredits(user.id),
    useUserTopUp(user.id),
    useUserSessions(user.id),
    useUserEmails(user.id),
    useUserSupport(user.id),
    useUserHistory(user.id),
  ]);
  const stack = isPlaced ? 'stack' : 'stack unplaced';
  return (
    <div className="person-cols">
      <div className="stack">
        <section className="card pad">
          <UserFacts user={user} />
        </section>
        <div className={stack}>
          <UserDeployments user={user} />
          <UserTransactions user={user} />
          <UserHistory user={user} />
        </div>
      </div>
      <div className={stack}>
        <UserCredits user={user} />
        <UserTopUp user={user} />
        <UserSessions user={user} />
        <UserEmails user={user} />
        <UserSupport user={user} />
      </div>
    </div>
  );
}

function Tags({ user }: { user: AdminUserAnswer }) {
  const t = useText();
  const me = useSession()?.user;
  return (
    <span className="row wrap">
      {user.id === me?.id ? <span className="tag">{t('users.you')}</span> : null}
      {user.is_admin ? <span className="tag sea">{t('users.is_admin')}</span> : null}
      {user.deactivated_at === null ? null : (
        <span className="tag off">
          <Ban size={16} aria-hidden="true" />
          {t('users.deactivated')}
        </span>
      )}
      {user.is_verified ? null : <span className="tag brass">{t('person.unverified')}</span>}
    </span>
  );
}

function Actions({ user }: { user: AdminUserAnswer }) {
  const t = useText();
  const me = useSession()?.user;
  const [dialog, setDialog] = useState(false);
  const name = encodeURIComponent(user.username);
  const canBeImpersonated = !user.is_admin && user.deactivated_at === null && user.id !== me?.id;
  return (
    <>
      <ButtonLink to={`/dashboard?user=${name}`}>{t('users.view_deployments')}</ButtonLink>
      <ButtonLink to={`/billing?user=${name}`}>{t('users.show_billing')}</ButtonLink>
      {canBeImpersonated ? (
        <Button aria-haspopup="dialog" onClick={() => setDialog(true)}>
          {t('person.view.open')}
        </Button>
      ) : null}
      <UserMenu user={user} />
      {dialog ? <ImpersonateDialog user={user} onClose={() => setDialog(false)} /> : null}
    </>
  );
}

function Notes({ user: { deactivated_at: deactivatedAt } }: { user: AdminUserAnswer }) {
  const t = useText();
  const [query] = useSearchParams();
  return (
    <>
      {query.get('view') === 'ended' ? (
        <p className="note flat" role="status">
          <CircleCheck size={16} aria-hidden="true" />
          {t('person.view.ended')}
        </p>
      ) : null}
      {deactivatedAt === null ? null : (
        <div className="note brass">
          <Ban size={16} aria-hidden="true" />
          <div>
            <p>
              <b title={exactInstant(deactivatedAt)}>
                {t('person.deactivated_since', { date: dayWithYear(deactivatedAt) })}
              </b>
            </p>
            <p>{t('person.deactivated_hint')}</p>
          </div>
        </div>
      )}
    </>
  );
}

function UserFacts({ user }: { user: AdminUserAnswer }) {
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
