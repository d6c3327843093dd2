import type { AdminUserDetailsAnswer } from '@moorage/contracts';
import { ShowBase, useShowContext } from 'react-admin';
import { useParams } from 'react-router-dom';
import { useRecent } from '../../data/recent';
import { AdminOnly } from '../../parts/admin-only';
import { BalanceSum } from '../../parts/money/balance-sum';
import { useText } from '../../texts/console-i18n';
import { RecordScreen } from '../../ui/record-screen';
import { useLayoutReady } from '../../ui/use-layout-ready';
import { useTitle } from '../../ui/use-title';
import { UserActions } from './user-actions';
import { UserCredits } from './user-credits';
import { UserDeployments } from './user-deployments';
import { UserEmails } from './user-emails';
import { UserFacts } from './user-facts';
import { UserHistory } from './user-history';
import type { KnownUser } from './user-money';
import { UserNotes } from './user-notes';
import {
  useUserCredits,
  useUserDeployments,
  useUserEmails,
  useUserHistory,
  useUserSessions,
  useUserSupport,
  useUserTopUp,
  useUserTransactions,
} from './user-records';
import { UserSessions } from './user-sessions';
import { UserSupport } from './user-support';
import { UserTags } from './user-tags';
import { UserTopUp } from './user-top-up';
import { UserTransactions } from './user-transactions';
import './show.css';

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
      tags={user === undefined ? null : <UserTags user={user} />}
      back={{ to: '/users', label: t('users.back') }}
      failed={t('users.failed')}
      missing={t('users.not_found')}
      actions={user === undefined ? null : <UserActions user={user} />}
    >
      {user === undefined ? null : (
        <div className="person">
          <UserNotes user={user} />
          <BalanceSum balance={user.balances} runway={undefined} credits={undefined} />
          <Cards user={user} />
        </div>
      )}
    </RecordScreen>
  );
}

function Cards({ user }: { user: KnownUser }) {
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
