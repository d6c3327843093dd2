import { CLOUD_NAMES, providerName } from '@moorage/domain';
import { Cloud, Server } from 'lucide-react';
import { useArrivedSettings, useBrand } from '../../data/brand';
import { loadOldPrices } from '../../data/public-catalogue';
import { usePublicText } from '../../texts/locale';
import { exactInstant } from '../../ui/dates';
import { money } from '../../ui/money';
import { usePublicPrices } from '../../data/public-prices';
import { useAnswer } from './use-answer';

/** All providers, whatever this installation offers (decision 27). */
export const PROVIDERS = CLOUD_NAMES.map(providerName).join(', ');

/** A customer's own server and one that we rent, side by side. */
export function ServerKinds() {
  const t = usePublicText();
  const { name: brand } = useBrand();
  const { prices } = usePublicPrices();
  return (
    <div className="halves">
      <div className="card">
        <h3>
          <Server size={20} aria-hidden="true" />
          {t('pricing.servers.own')}
        </h3>
        <p className="soft">
          {t('pricing.servers.own_text', { fee: money(prices.byovpsDailyFee, { rounding: 'price' }) })}
        </p>
      </div>
      <div className="card">
        <h3>
          <Cloud size={20} aria-hidden="true" />
          {t('pricing.servers.ours', { brand })}
        </h3>
        <p className="soft">{t('pricing.servers.ours_text')}</p>
        <Providers />
      </div>
    </div>
  );
}

/** The providers, with those that are simulated or whose own prices are unavailable. */
function Providers() {
  const t = usePublicText();
  const clouds = useArrivedSettings()?.clouds ?? 'live';
  const { answer } = useAnswer(loadOldPrices);
  return (
    <>
      <p className="small muted">
        {PROVIDERS}
        {clouds === 'live' ? null : (
          <> · {t(clouds === 'sandbox' ? 'pricing.servers.simulated' : 'pricing.servers.simulated_some')}</>
        )}
      </p>
      {(answer.state === 'there' ? answer.data : []).map(({ name, display_name: provider, priced_at }) => (
        <p key={name} className="small muted">
          {priced_at === null
            ? t('pricing.servers.built_in_ever', { provider })
            : t('pricing.servers.built_in', { provider, date: exactInstant(priced_at) })}
        </p>
      ))}
    </>
  );
}
