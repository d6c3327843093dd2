import { BACKUP_DAYS, Money, quotePrice, type SupportLevel } from '@moorage/domain';
import { usePublicText } from '../../texts/locale';
import { hourlyPrice, money } from '../../ui/money';
import { SelfHelpLinks } from '../../parts/operator-links';
import { modesOf, useOfferedBackups } from '../../parts/offered-backups';

const LEVELS = [
  { level: 1, name: 'community' },
  { level: 2, name: 'professional' },
  { level: 3, name: 'enterprise' },
] as const;

/** Returns the price of a support level without a server. */
function levelPrice(supportLevel: SupportLevel): { hourly: number; daily: number; monthly: number } {
  const { hourly, daily, monthly } = quotePrice({ serverType: 'new', supportLevel, instanceHourly: Money.ZERO });
  return { hourly: hourly.toWire(), daily: daily.toWire(), monthly: monthly.toWire() };
}

/** The three support levels, side by side or, on phones, below each other. */
export function SupportLevels() {
  const t = usePublicText();
  const shown = (amount: number): string => money(amount, { rounding: 'price' });
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
              <dd>
                {t(`pricing.levels.${name}.response`)}
                {level === 1 ? <SelfHelpLinks /> : null}
              </dd>
              <dt>{t('pricing.levels.people')}</dt>
              <dd>{t(`pricing.levels.${name}.people`)}</dd>
              <Backups level={level} />
            </dl>
          </section>
        );
      })}
    </div>
  );
}

/** Backups of a support level, once the installation's settings have loaded. */
function Backups({ level }: { level: SupportLevel }) {
  const t = usePublicText();
  const offered = useOfferedBackups();
  const days = BACKUP_DAYS[level];
  if (days > 0 && offered === null) return null;
  const modes = offered === null ? null : modesOf(offered);
  const isOff = modes === null || !(modes.has('real') || modes.has('simulated'));
  return (
    <>
      <dt>{t('pricing.levels.backups')}</dt>
      <dd>
        {days === 0
          ? t('pricing.levels.no_backups')
          : isOff
            ? t('pricing.levels.backups_off')
            : t('pricing.levels.backups_kept', { days })}
      </dd>
    </>
  );
}

/** Explains that backups are simulated or missing on this installation. */
export function BackupsNote() {
  const t = usePublicText();
  const offered = useOfferedBackups();
  if (offered === null) return null;
  const providers = Object.values(offered.new);
  const modes = modesOf(offered);
  if (!(modes.has('real') || modes.has('simulated'))) return null;
  const notes = [
    modes.has('real') ? null : t('pricing.levels.backups_simulated'),
    providers.includes('off') ? t('pricing.levels.backups_not_all') : null,
    offered.own === 'off' ? t('pricing.levels.backups_not_own') : null,
  ].filter((note) => note !== null);
  return notes.length === 0 ? null : <p className="small muted">{notes.join(' ')}</p>;
}
