import { CircleCheck, type LucideIcon, Mail, Plus, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useBalance } from '../../data/billing';
import { usePackages, usePrices } from '../../data/catalogue';
import { useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { useConsoleSettings } from '../../data/brand';
import { RequestCreditsButton } from '../../parts/free-credits/request-credits';
import { money } from '../../ui/money';
import { PackageMark } from '../../parts/package-mark';
import { inLanguage } from '../../texts/locale';
import { ButtonLink } from '../../ui/button-link';
import './empty-board.css';

/** Dashboard before the first deployment, with the progress of three steps and the available packages. */
export function EmptyBoard() {
  const t = useText();
  const user = useSession()?.user;
  const { data: balance } = useBalance();
  const { data: prices } = usePrices();
  const { data: packages = [] } = usePackages();
  const { clouds } = useConsoleSettings();
  const needed = prices?.minBalanceFirstDeployment ?? 4.99;
  const available = balance?.available_balance ?? 0;
  const isVerified = user?.is_verified !== false;
  const isEnough = balance !== undefined && available >= needed;
  const next = !isVerified ? 'verify' : !isEnough ? 'hold' : 'create';
  return (
    <section className="card board">
      <div className="board-steps">
        <h2>{t('deployments.empty.title')}</h2>
        <p className="soft">
          {clouds === 'sandbox' ? t('deployments.empty.lead_sandbox') : t('deployments.empty.lead')}
        </p>
        <ol className="tl">
          <Step
            icon={Mail}
            state={isVerified ? 'ok' : 'now'}
            title={t('deployments.empty.verify')}
            side={isVerified ? t('deployments.empty.verify_done') : t('deployments.empty.verify_now')}
            more={isVerified ? null : t('deployments.empty.verify_hint')}
          />
          <Step
            icon={Wallet}
            state={isEnough ? 'ok' : next === 'hold' ? 'now' : 'wait'}
            title={t('deployments.empty.funds', { amount: money(needed, { rounding: 'up' }) })}
            side={t('deployments.empty.have', { amount: money(available, { rounding: 'cut' }) })}
            more={
              isEnough ? null : (
                <>
                  <Link to="/billing#add">{t('deployments.empty.add_funds')}</Link> {t('deployments.empty.or')}{' '}
                  <RequestCreditsButton kind="text" size="small" />
                </>
              )
            }
          />
          <Step
            icon={Plus}
            state={next === 'create' ? 'now' : 'wait'}
            title={t('deployments.empty.create')}
            side={t('deployments.empty.create_time')}
            more={packages.length === 0 ? null : t('deployments.empty.create_hint', { smart_count: packages.length })}
          />
        </ol>
        {next === 'create' ? (
          <ButtonLink className="board-go" kind="primary" to="/create-deployment" icon={Plus}>
            {t('deployments.create')}
          </ButtonLink>
        ) : null}
      </div>
      <div className="board-packages">
        <h3>{t('deployments.empty.packages')}</h3>
        <ul>
          {packages.map(({ name, display_name, description_texts: description, mark }) => (
            <li key={name} className="row">
              <PackageMark mark={mark} />
              <span className="grow">
                <b>{display_name}</b>
                <span className="small soft">{inLanguage(description)}</span>
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function Step({
  icon,
  state,
  title,
  side,
  more,
}: {
  icon: LucideIcon;
  state: 'ok' | 'now' | 'wait';
  title: string;
  side: string;
  more: ReactNode;
}) {
  const t = useText();
  const Icon = state === 'ok' ? CircleCheck : icon;
  return (
    <li className={state} aria-current={state === 'now' ? 'step' : undefined}>
      <span className="n">
        <Icon size={18} aria-hidden="true" />
      </span>
      <b>
        {state === 'wait' ? null : (
          <span className="vh">{t(state === 'ok' ? 'deployments.empty.done' : 'deployments.empty.next')} </span>
        )}
        {title}
      </b>
      <span className="d">{side}</span>
      {more === null ? null : <div className="more">{more}</div>}
    </li>
  );
}
