import { Money, PROVIDER_NAMES, quotePrice, type SupportLevel } from '@moorage/domain';
import { ChevronDown, Cloud, LoaderCircle, Server } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../../data/session';
import { usePublicText } from '../../texts/locale';
import { useConsoleSettings } from '../../data/brand';
import { Link } from '../../ui/link';
import { RequestCreditsButton } from '../../parts/free-credits/request-credits';
import { exactInstant } from '../../ui/dates';
import { money } from '../../ui/money';
import { loadExampleServer, loadOldPrices, loadPackages, type ExampleServer } from './catalogue';
import { PackageRows } from './packages';
import { usePrices } from './prices';
import { BackupsNote, SupportLevels } from './support-levels';
import { useAnswer } from './use-answer';
import { useTitle } from '../../ui/use-title';
import { buttonClass } from '../../ui/button';

/** All seven providers, whatever this installation offers (decision 27). */
const PROVIDERS = Object.values(PROVIDER_NAMES);

const LIKELY_EXAMPLE: ExampleServer = { cpu: 2, memory: 4, region: 'Falkenstein', hourly: 0.0356 };

const price = (amount: number): string => money(amount, { rounding: 'half_up' });

/** Currency units per day. */
const dailyOf = ({ hourly }: ExampleServer, supportLevel: SupportLevel): number =>
  quotePrice({ serverType: 'new', supportLevel, instanceHourly: Money.of(hourly) }).daily.toWire();

export default function Pricing() {
  const t = usePublicText();
  const settings = useConsoleSettings();
  const signedIn = useSession() !== null;
  const { state, prices } = usePrices();
  const { answer } = useAnswer(loadExampleServer);
  const packages = useAnswer(loadPackages);
  const { answer: oldPrices } = useAnswer(loadOldPrices);
  // Until the catalogue has loaded, a likely example reserves the space invisibly.
  const example = answer.state === 'there' ? answer.data : answer.state === 'waiting' ? LIKELY_EXAMPLE : null;
  const exampleClass = answer.state === 'waiting' ? 'later' : undefined;
  const waits = state === 'waiting';
  useTitle(t('pricing.title'));
  const fee = price(prices.byovpsDailyFee);
  return (
    <main>
      <div className="wrapx top">
        <h1 className="big-title">{t('pricing.title')}</h1>
        <p className="lead">{t('pricing.lead')}</p>
        <p className="prices-state" role="status">
          {waits ? (
            <>
              <LoaderCircle size={16} className="spin" aria-hidden="true" />
              {t('pricing.loading')}
            </>
          ) : state === 'failed' ? (
            t('pricing.fallback')
          ) : null}
        </p>
        <div className="prices" aria-busy={waits}>
          <PriceCard
            title={t('pricing.minimum.title')}
            amount={prices.minBalanceToDeploy}
            waits={waits}
            action={<RequestCreditsButton size="small" />}
          >
            {t('pricing.minimum.text', { first: money(prices.minBalanceFirstDeployment, { rounding: 'up' }) })}
          </PriceCard>
          <PriceCard
            title={t('pricing.vps.title')}
            amount={prices.byovpsDailyFee}
            unit={t('pricing.vps.unit')}
            waits={waits}
          >
            {t('pricing.vps.text')}{' '}
            {example === null ? null : (
              <span className={exampleClass}>
                {t('pricing.vps.example', {
                  cpu: example.cpu,
                  memory: example.memory,
                  region: example.region,
                  price: price(dailyOf(example, 1)),
                })}
              </span>
            )}
          </PriceCard>
          <PriceCard title={t('pricing.support.title')} amount={0} unit={t('pricing.support.unit')} waits={waits}>
            {t('pricing.support.text', {
              professional: price(prices.supportLevel2Daily),
              enterprise: price(prices.supportLevel3Daily),
            })}
          </PriceCard>
        </div>
      </div>

      <Band title={t('pricing.servers.title')}>
        <div className="halves">
          <div className="card">
            <h3>
              <Server size={20} aria-hidden="true" />
              {t('pricing.servers.own')}
            </h3>
            <p className="soft">{t('pricing.servers.own_text', { fee })}</p>
          </div>
          <div className="card">
            <h3>
              <Cloud size={20} aria-hidden="true" />
              {t('pricing.servers.ours', { brand: settings.brand.name })}
            </h3>
            <p className="soft">{t('pricing.servers.ours_text')}</p>
            <p className="small muted">
              {PROVIDERS.join(', ')}
              {settings.clouds === 'live' ? null : (
                <>
                  {' '}
                  · {t(settings.clouds === 'sandbox' ? 'pricing.servers.simulated' : 'pricing.servers.simulated_some')}
                </>
              )}
            </p>
            {(oldPrices.state === 'there' ? oldPrices.data : []).map(({ name, display_name: provider, priced_at }) => (
              <p key={name} className="small muted">
                {priced_at === null
                  ? t('pricing.servers.built_in_ever', { provider })
                  : t('pricing.servers.built_in', { provider, date: exactInstant(priced_at) })}
              </p>
            ))}
          </div>
        </div>
      </Band>

      <Band title={t('pricing.packages.title')}>
        <p className="lead">{t('pricing.packages.lead')}</p>
        <PackageRows {...packages} signedIn={signedIn} />
      </Band>

      <Band title={t('pricing.buys.title', { amount: price(BUDGET) })}>
        <Buys fee={prices.byovpsDailyFee} example={example} exampleClass={exampleClass} />
      </Band>

      <Band title={t('pricing.levels.title')}>
        <SupportLevels />
        <div className="below">
          <p className="small muted">{t('pricing.levels.note')}</p>
          <BackupsNote />
        </div>
      </Band>

      <Band title={t('pricing.how.title')}>
        <ol className="how">
          {(['s1', 's2', 's3', 's4'] as const).map((step) => (
            <li key={step}>
              <b>{t(`pricing.how.${step}`)}</b>
              <p>{t(`pricing.how.${step}_text`)}</p>
            </li>
          ))}
        </ol>
      </Band>

      <section className="band">
        <div className="wrapx narrow">
          <h2>{t('pricing.faq.title')}</h2>
          <Question title={t('pricing.faq.stop')} open>
            {t('pricing.faq.stop_text')}
          </Question>
          <Question title={t('pricing.faq.out')}>
            {t('pricing.faq.out_text')}{' '}
            {settings.grace_period_minutes > 0
              ? t('pricing.faq.out_grace_period', { minutes: settings.grace_period_minutes })
              : null}
          </Question>
          <Question title={t('pricing.faq.level')}>{t('pricing.faq.level_text')}</Question>
          <Question title={t('pricing.faq.providers')}>
            {t('pricing.faq.providers_text', { providers: PROVIDERS.join(', ') })}
          </Question>
          <div className="row wrap end">
            {signedIn ? (
              <Link className={buttonClass({ kind: 'primary', size: 'large' })} href="/create-deployment">
                {t('pricing.create')}
              </Link>
            ) : (
              <>
                <Link className={buttonClass({ kind: 'primary', size: 'large' })} href="/signup">
                  {t('pricing.signup')}
                </Link>
                <span className="muted small">{t('signup.no_card')}</span>
              </>
            )}
          </div>
        </div>
      </section>
    </main>
  );
}

function Band({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="band joined">
      <div className="wrapx">
        <h2>{title}</h2>
        {children}
      </div>
    </section>
  );
}

function PriceCard({
  title,
  amount,
  unit,
  waits,
  action,
  children,
}: {
  title: string;
  amount: number;
  unit?: string;
  waits: boolean;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="card">
      <h2 className="soft">{title}</h2>
      <span className="big">
        {waits ? <i className="skel w1" /> : price(amount)} {unit === undefined ? null : <small>{unit}</small>}
      </span>
      <p>{children}</p>
      {action}
    </div>
  );
}

function Question({ title, open = false, children }: { title: string; open?: boolean; children: ReactNode }) {
  return (
    <details className="q" open={open}>
      <summary>
        {title}
        <ChevronDown size={16} aria-hidden="true" />
      </summary>
      <p>{children}</p>
    </details>
  );
}

/** Amount of a first top-up in currency units. */
const BUDGET = 10;

/** Number of whole days that an amount pays for, as shown by the console's timeline. */
function Buys({
  fee,
  example,
  exampleClass,
}: {
  fee: number;
  example: ExampleServer | null;
  exampleClass: string | undefined;
}) {
  const t = usePublicText();
  const rows = [
    { id: 'own', what: t('pricing.buys.own'), with: t('pricing.buys.community'), daily: fee },
    ...(example === null
      ? []
      : [
          {
            id: 'example',
            what: t('pricing.buys.example', { cpu: example.cpu, memory: example.memory, region: example.region }),
            with: t('pricing.buys.community'),
            daily: dailyOf(example, 1),
          },
          {
            id: 'same',
            what: t('pricing.buys.same'),
            with: t('pricing.buys.professional'),
            daily: dailyOf(example, 2),
          },
        ]),
  ];
  return (
    <dl className="buys">
      {rows.map(({ id, what, with: level, daily }) => {
        const days = Math.floor(BUDGET / daily);
        return (
          <div key={id} className={id === 'own' ? undefined : exampleClass}>
            <dt>
              {what}
              <small>{level}</small>
            </dt>
            <dd>
              <i style={{ '--d': days } as React.CSSProperties} />
              {t('pricing.buys.days', { smart_count: days })}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
