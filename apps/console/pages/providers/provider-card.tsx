import { useState } from 'react';
import { SectionCard } from '../../ui/card';
import { Instant } from '../../ui/instant';
import { isChecking, type Provider, useCheckProvider } from '../../data/providers';
import { useText } from '../../texts/console-i18n';
import { money } from '../../ui/money';
import { refusalOf } from '../../data/problem-message';
import { ConfirmProjectDialog } from './confirm-project-dialog';
import { CredentialsRow } from './credentials-row';
import { FactRow } from './fact-row';
import { QuotaRow, RightsRow } from './rights-row';
import { Button } from '../../ui/button';

/** Card of a provider: its mode, whether servers can be created there, and cost. */
export function ProviderCard({ provider }: { provider: Provider }) {
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

function Mode({ provider: { mode } }: { provider: Provider }) {
  const t = useText();
  return <span className={MODE_TAGS[mode]}>{t(`providers.mode.${mode}`)}</span>;
}

/** Reasons why servers cannot be ordered at the provider. */
function Problems({ provider }: { provider: Provider }) {
  const t = useText();
  const { distrusted, paused_until: paused, mode, project } = provider;
  return (
    <>
      {distrusted === null ? null : (
        <p className="note port">
          <span>
            {t(`providers.distrusted.${distrusted.reason}`)} <Instant iso={distrusted.since} />
          </span>
        </p>
      )}
      {paused === null ? null : (
        <p className="note brass">
          <span>
            {t('providers.paused')} <Instant iso={paused} />
          </span>
        </p>
      )}
      {mode === 'live' && project?.confirmed_at === null ? <Unconfirmed provider={provider} id={project.id} /> : null}
    </>
  );
}

/** Orders are refused until an administrator confirms the project. */
function Unconfirmed({ provider, id }: { provider: Provider; id: string }) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="note brass">
      <div>
        <p>{t('providers.confirm.needed')}</p>
        <Button size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {t('providers.confirm.open')}
        </Button>
      </div>
      {isOpen ? <ConfirmProjectDialog provider={provider} id={id} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

function Access({ provider: { access, project } }: { provider: Provider }) {
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

function LastError({ provider: { last_error: error } }: { provider: Provider }) {
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

function Prices({ provider: { catalogue } }: { provider: Provider }) {
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

function Servers({ provider }: { provider: Provider }) {
  const t = useText();
  const { servers, cost_daily, paid_daily, margin_daily, margin_percent: percent } = provider;
  const margin = money(margin_daily, { rounding: 'half_up', sign: true });
  return (
    <>
      <FactRow label={t('providers.servers')}>{servers}</FactRow>
      <FactRow label={t('providers.cost')}>{money(cost_daily, { rounding: 'half_up' })}</FactRow>
      <FactRow label={t('providers.paid')}>{money(paid_daily, { rounding: 'half_up' })}</FactRow>
      <FactRow label={t('providers.margin')}>
        <span className={margin_daily < 0 ? 'bad' : undefined}>
          {percent === null ? margin : t('providers.margin_percent', { margin, percent })}
        </span>
      </FactRow>
    </>
  );
}

function CheckButton({ provider }: { provider: Provider }) {
  const t = useText();
  const { mutate, isPending, error } = useCheckProvider(provider.provider);
  const isBusy = isPending || isChecking(provider);
  return (
    <div>
      <Button busy={isBusy} onClick={() => mutate(undefined)}>
        {t(isBusy ? 'providers.checking' : 'providers.check')}
      </Button>
      {error === null ? null : (
        <p className="note port" role="alert">
          {refusalOf(error) ?? t('providers.check_failed')}
        </p>
      )}
    </div>
  );
}
