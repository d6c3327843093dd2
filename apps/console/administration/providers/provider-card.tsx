import type { ReactNode } from 'react';
import { AccountCard } from '../../account/account-card';
import { Instant } from '../../account/instant';
import type { Provider } from '../../data/providers';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';

/** One provider: how it is run, what it says of us, and the money. */
export function ProviderCard({ provider }: { provider: Provider }) {
  return (
    <AccountCard id={provider.provider} title={provider.display_name} aside={<Mode provider={provider} />}>
      <div className="pad stack">
        <Problems provider={provider} />
        <dl className="kv">
          <Access provider={provider} />
          <Prices provider={provider} />
          <Servers provider={provider} />
        </dl>
      </div>
    </AccountCard>
  );
}

const MODE_TAGS = { live: 'tag sea', simulated: 'tag brass', off: 'tag off' } as const;

function Mode({ provider: { mode } }: { provider: Provider }) {
  const t = useText();
  return <span className={MODE_TAGS[mode]}>{t(`providers.mode.${mode}`)}</span>;
}

/** What keeps us from ordering there now. */
function Problems({ provider: { distrusted, paused_until: paused } }: { provider: Provider }) {
  const t = useText();
  return (
    <>
      {distrusted === null ? null : (
        <p className="note port">
          {t(`providers.distrusted.${distrusted.reason}`)} <Instant iso={distrusted.since} />
        </p>
      )}
      {paused === null ? null : (
        <p className="note brass">
          {t('providers.paused')} <Instant iso={paused} />
        </p>
      )}
    </>
  );
}

function Access({ provider: { access, project } }: { provider: Provider }) {
  const t = useText();
  return (
    <>
      {access === null ? null : (
        <Row label={t('providers.credentials')}>
          {t(`providers.access.${access.state}`)} {access.since === null ? null : <Instant iso={access.since} />}
        </Row>
      )}
      <Row label={t('providers.project')}>
        {project === null ? (
          t('providers.no_project')
        ) : (
          <>
            <span className="mono small anywhere">{project.id}</span> <Instant iso={project.pinned_at} />
          </>
        )}
      </Row>
    </>
  );
}

function Prices({ provider: { catalogue } }: { provider: Provider }) {
  const t = useText();
  if (catalogue === null) return null;
  const { source, refreshed_at: at, sizes, sold_out } = catalogue;
  return (
    <Row label={t('providers.catalogue')}>
      {t(`providers.source.${source}`)} {at === null ? t('providers.never_answered') : <Instant iso={at} />}
      <br />
      {t('providers.sizes', { smart_count: sizes, sold_out })}
    </Row>
  );
}

function Servers({ provider }: { provider: Provider }) {
  const t = useText();
  const { servers, cost_daily, paid_daily, margin_daily, margin_percent: percent } = provider;
  const margin = money(margin_daily, { rounding: 'half_up', sign: true });
  return (
    <>
      <Row label={t('providers.servers')}>{servers}</Row>
      <Row label={t('providers.cost')}>{money(cost_daily, { rounding: 'half_up' })}</Row>
      <Row label={t('providers.paid')}>{money(paid_daily, { rounding: 'half_up' })}</Row>
      <Row label={t('providers.margin')}>
        <span className={margin_daily < 0 ? 'bad' : undefined}>
          {percent === null ? margin : t('providers.margin_percent', { margin, percent })}
        </span>
      </Row>
    </>
  );
}

export function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
