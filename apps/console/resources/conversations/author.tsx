import type { InboxRow } from '@moorage/contracts';
import { UserReference } from '../../parts/user-reference';
import { useText } from '../../texts/console-i18n';

/** Account, or the name a visitor entered. */
export function Author({ row: { account, name, email } }: { row: InboxRow }) {
  const t = useText();
  return account === null ? (
    <span className="who">
      <span className="anywhere">{name}</span>
      <span className="tag">{t('support_inbox.visitor')}</span>
      <span className="small muted anywhere">{email}</span>
    </span>
  ) : (
    <UserReference {...account} email={email} />
  );
}
