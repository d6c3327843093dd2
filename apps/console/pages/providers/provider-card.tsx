import { SectionCard } from '../../ui/card';
import { Instant } from '../../ui/instant';
import type { ProviderAnswer } from '@moorage/contracts';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';
import { CheckButton } from './check-button';
import { CredentialsRow } from './credentials-row';
import { FactRow } from './fact-row';
import { Problems } from './problems';
import { QuotaRow, RightsRow } from './rights-row';

/** Card of a provider: its mode, whether servers can be created there, and cost. */
export function ProviderCard({ provider }: { provider: ProviderAnswer }) {
  const { mode } = provider;
  return (
    <SectionCard id={provider.provider} title={provider.display_name} aside={<Mode provider={provider} />}>
      <div className="pad stack">
        <Problems provider={provider} />
        <dl className="kv">
          <Access provider={provider} />
          {mode === 'live' ? (
            <>
              <CredentialsRow provider={provider} />
              <RightsRow provider={provider} />
              <QuotaRow provider={provider} />
              <LastError provider={provider} />
            </>
          ) : null}
          <Prices provider={provider} />
          <Servers provider={provider} />
        </dl>
        {mode === 'live' ? <CheckButton provider={provider} /> : null}
      </div>
    </SectionCard>
  );
}

const MODE_TAGS = { live: 'tag sea', simulated: 'tag brass', off: 'tag off' } as const;

function Mode({ provider: { mode } }: { provider: ProviderAnswer }) {
  const t = useText();
  return <span className={MODE_TAGS[mode]}>{t(`providers.mode.${mode}`)}</span>;
}

function Access({ provider: { access, project } }: { provider: ProviderAnswer }) {
  const t = useText();
  return (
    <>
      {access === null ? null : (
        <FactRow label={t('providers.access_label')}>
          {t(`providers.access.${access.state}`)} {access.since === null ? null : <Instant iso={access.since} />}
        </FactRow>
      )}
      <FactRow label={t('providers.project')}>
        {project === null ? (
          t('providers.no_project')
        ) : (
          <>
            <span className="mono small anywhere">{project.id}</span>
            {access === null || project.confirmed_at === null ? null : (
              <>
                <br />
                {t('providers.confirmed')} <Instant iso={project.confirmed_at} />
              </>
            )}
          </>
        )}
      </FactRow>
    </>
  );
}

function LastError({ provider: { last_error: error } }: { provider: ProviderAnswer }) {
  const t = useText();
  return (
    <FactRow label={t('providers.last_error')}>
      {error === null ? (
        t('providers.no_error')
      ) : (
        <>
          <Instant iso={error.at} /> <span className="mono small anywhere">{error.words}</span>
        </>
      )}
    </FactRow>
  );
}

function Prices({ provider: { catalogue } }: { provider: ProviderAnswer }) {
  const t = useText();
  if (catalogue === null) return null;
  const { source, refreshed_at: at, sizes, sold_out } = catalogue;
  return (
    <FactRow label={t('providers.catalogue')}>
      {t(`providers.source.${source}`)} {at === null ? t('providers.never_answered') : <Instant iso={at} />}
      <br />
      {t('providers.sizes', { smart_count: sizes, sold_out })}
    </FactRow>
  );
}

function Servers({ provider }: { provider: ProviderAnswer }) {
  const t = useText();
  const { servers, cost_daily, paid_daily, margin_daily, margin_percent: percent } = provider;
  const margin = money(margin_daily, { rounding: 'price', sign: true });
  return (
    <>
      <FactRow label={t('providers.servers')}>{servers}</FactRow>
      <FactRow label={t('providers.cost')}>{money(cost_daily, { rounding: 'price' })}</FactRow>
      <FactRow label={t('providers.paid')}>{money(paid_daily, { rounding: 'price' })}</FactRow>
      <FactRow label={t('providers.margin')}>
        <span className={margin_daily < 0 ? 'bad' : undefined}>
          {percent === null ? margin : t('providers.margin_percent', { margin, percent })}
        </span>
      </FactRow>
    </>
  );
}
