import { Money, quotePrice, type SupportLevel } from '@moorage/domain';
import { usePublicText } from '../texts/locale';
import { hourlyPrice, money } from '../ui/money';

const LEVELS = [
  { level: 1, name: 'community' },
  { level: 2, name: 'professional' },
  { level: 3, name: 'enterprise' },
] as const;

/** The price of a level by itself, without a server. */
function levelPrice(supportLevel: SupportLevel): { hourly: number; daily: number; monthly: number } {
  const { hourly, daily, monthly } = quotePrice({ serverType: 'new', supportLevel, instanceHourly: Money.ZERO });
  return { hourly: hourly.toWire(), daily: daily.toWire(), monthly: monthly.toWire() };
}

/** Three levels side by side; on a phone the same table, one level after the other. */
export function SupportLevels() {
  const t = usePublicText();
  const shown = (amount: number): string => money(amount, { rounding: 'half_up' });
  return (
    <div className="card levels">
      {LEVELS.map(({ level, name }) => {
        const { hourly, daily, monthly } = levelPrice(level);
        return (
          <section key={level}>
            <h3>{t(`pricing.levels.${name}.name`)}</h3>
            <p className="small muted">{t(`pricing.levels.${name}.suited`)}</p>
            <p className="p">
              {daily === 0 ? (
                t('pricing.levels.free')
              ) : (
                <>
                  {shown(daily)} <small>{t('pricing.levels.a_day')}</small>
                </>
              )}
            </p>
            <p className="small muted per">
              {daily === 0 ? null : (
                <>
                  {t('pricing.levels.hourly', { price: hourlyPrice(hourly) })}
                  <br />
                  {t('pricing.levels.monthly', { price: shown(monthly) })}
                </>
              )}
            </p>
            <dl>
              <dt>{t('pricing.levels.response')}</dt>
              <dd>{t(`pricing.levels.${name}.response`)}</dd>
              <dt>{t('pricing.levels.people')}</dt>
              <dd>{t(`pricing.levels.${name}.people`)}</dd>
            </dl>
          </section>
        );
      })}
    </div>
  );
}
