import type { AdminUserAnswer } from '@moorage/contracts';
import { Link } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { Loaded, SectionCard } from '../../ui/card';
import { Instant } from '../../ui/instant';
import { Newest } from './newest-records';
import { useUserSupport } from './user-records';
import './user-support.css';

/** Expandable messages from an account to support. */
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
                    <details>
                      <summary>
                        <span className="anywhere">{subject}</span>{' '}
                        <span className="tag">{t(`person.support.${kind}`)}</span>{' '}
                        <span className="small muted nowrap">
                          <Instant iso={at} />
                        </span>
                      </summary>
                      <p className="letter-text">{message}</p>
                      <p className="letter-text">
                        <Link to={`/support-inbox/${conversation}`}>
                          {t('person.support.open')}
                          <span className="vh">: {subject}</span>
                        </Link>
                      </p>
                    </details>
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
