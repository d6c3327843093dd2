import type { ProviderAnswer } from '@moorage/contracts';
import { Instant } from '../../ui/instant';
import { useText } from '../../texts/console-i18n';
import { FactRow } from './fact-row';
import './rights-row.css';

/** Number of verified permissions and the names of the others. */
export function RightsRow({ provider: { check } }: { provider: ProviderAnswer }) {
  const t = useText();
  if (check === null) return null;
  const rights = check.rights ?? [];
  const open = rights.filter(({ state }) => state !== 'allowed');
  return (
    <FactRow label={t('providers.rights')}>
      {check.checked_at === null ? (
        t('providers.not_checked')
      ) : (
        <>
          {check.rights === null
            ? t('providers.check_unanswered')
            : t('providers.rights_proven', { proven: rights.length - open.length, all: rights.length })}{' '}
          <Instant iso={check.checked_at} />
        </>
      )}
      {open.length === 0 ? null : (
        <ul className="rights">
          {open.map(({ name, state, words }) => (
            <li key={name}>
              <span className={state === 'missing' ? 'tag port' : 'tag brass'}>{t(`providers.right.${state}`)}</span>{' '}
              <span className="mono small anywhere">{name}</span>
              {words === null ? null : <span className="small muted anywhere"> {words}</span>}
            </li>
          ))}
        </ul>
      )}
    </FactRow>
  );
}

/** Limits of our account, with the usage of each. */
export function QuotaRow({ provider: { check } }: { provider: ProviderAnswer }) {
  const t = useText();
  if (check === null || check.checked_at === null || check.rights === null) return null;
  const { quota } = check;
  return (
    <FactRow label={t('providers.quota')}>
      {quota === null ? (
        t('providers.quota_unknown')
      ) : (
        <ul className="rights">
          {quota.map(({ name, region, used, limit }) => (
            <li key={`${name} ${region ?? ''}`}>
              <span className="mono small anywhere">{region === null ? name : `${name}, ${region}`}</span>{' '}
              {t('providers.quota_used', { used, limit })}
            </li>
          ))}
        </ul>
      )}
    </FactRow>
  );
}
