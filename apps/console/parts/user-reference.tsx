import { Ban } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useText } from '../texts/console-i18n';
import { exactInstant, fullDay } from '../ui/dates';

/** User with name and email, linked to their page. */
export function UserReference({
  id,
  username,
  email,
  is_deactivated: isDeactivated = false,
}: {
  id: number;
  username: string;
  email: string;
  is_deactivated?: boolean;
}) {
  const t = useText();
  return (
    <span className="who">
      <Link className="name" to={`/users/${id}/show`}>
        {username}
      </Link>
      {isDeactivated ? (
        <span className="tag off">
          <Ban size={16} aria-hidden="true" />
          {t('users.deactivated')}
        </span>
      ) : null}
      <span className="small muted anywhere">{email}</span>
    </span>
  );
}

export function On({ at }: { at: string }) {
  return <span title={exactInstant(at)}>{fullDay(at)}</span>;
}
