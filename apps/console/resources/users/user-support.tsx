import type { AdminUserAnswer } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { Loaded, SectionCard } from '../../ui/card';
import { Instant } from '../../ui/instant';
import { Newest } from './newest-records';
import { useUserSupport } from './user-records';
import './user-support.css';

/** Newest conversations of an account with support, each with the beginning of its first message. */
export function UserSupport({ user: { id, username } }: { user: AdminUserAnswer }) {
  const t = useText();
  return (
    <SectionCard
      id="support"
      title={t('person.support.title')}
      aside={
        <Link
          to={`/support-inbox?filter=${encodeURIComponent(JSON.stringify({ user_id: String(id) }))}`}
          aria-label={t('person.support.inbox_of', { name: username })}
        >
          {t('person.support.inbox')}
        </Link>
      }
    >
      <Loaded query={useUserSupport(id)} failed={t('person.support.failed')}>
        {(rows) => (
          <Newest rows={rows} none={t('person.support.none')}>
            {(shown) => (
              <ul className="letters">
                {shown.map(({ id: conversation, kind, subject, message, created_at: at }) => (
                  <li key={conversation}>
                    <p className="row wrap">
                      <Link className="anywhere" to={`/support-inbox/${conversation}`}>
                        {subject}
                      </Link>
                      <span className="tag">{t(`person.support.${kind}`)}</span>
                      <span className="small muted nowrap">
                        <Instant iso={at} />
                      </span>
                    </p>
                    <p className="small soft letter-start">{message}</p>
                  </li>
                ))}
              </ul>
            )}
          </Newest>
        )}
      </Loaded>
    </SectionCard>
  );
}
