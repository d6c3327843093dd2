import { ChevronRight, CircleCheck, type LucideIcon, Mail, Plus, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useBalance } from '../../data/billing';
import { usePackages, usePrices } from '../../data/catalogue';
import { useCanChange, useSession } from '../../data/session';
import { useText } from '../../texts/console-i18n';
import { useConsoleSettings } from '../../data/brand';
import { LockableLink } from '../../parts/lockable-link';
import { RequestCreditsButton } from '../../parts/free-credits/request-credits';
import { money } from '../../ui/money';
import { PackageMark } from '../../parts/package-mark';
import { inLanguage } from '../../texts/locale';
import { ResendButton } from '../../parts/verify-banner';
import { useRead } from '../../data/use-read';
import { useLayoutReady } from '../../ui/use-layout-ready';
import { ButtonLink } from '../../ui/button-link';
import { BoardSkeleton } from './board-skeleton';
import './empty-board.css';

/** Dashboard without deployments, with the progress of three steps and the available packages. */
export default function EmptyBoard() {
  const t = useText();
  const canChange = useCanChange();
  const { clouds } = useConsoleSettings();
  const catalogue = usePackages();
  const { data: packages = [] } = catalogue;
  const { isPlaced, hasDeployed, needed, available, isEnough, next } = useProgress(catalogue);
  if (!isPlaced) return <BoardSkeleton />;
  return (
    <section className="card board">
      <div className="board-steps">
        <h2>{t(hasDeployed ? 'deployments.empty.title_again' : 'deployments.empty.title')}</h2>
        <p className="soft">
          {hasDeployed
            ? t('deployments.empty.lead_again')
            : t(clouds === 'sandbox' ? 'deployments.empty.lead_sandbox' : 'deployments.empty.lead')}
        </p>
        {hasDeployed && next === 'create' ? null : (
          <ol className="tl">
            <VerifyStep />
            <Step
              icon={Wallet}
              state={isEnough ? 'ok' : next === 'fund' ? 'now' : 'wait'}
              title={t('deployments.empty.funds', { amount: money(needed, { rounding: 'needed' }) })}
              side={t('deployments.empty.have', { amount: money(available, { rounding: 'balance' }) })}
              more={null}
            />
            <Step
              icon={Plus}
              state={next === 'create' ? 'now' : 'wait'}
              title={t('deployments.empty.create')}
              side={null}
              more={packages.length === 0 ? null : t('deployments.empty.create_hint', { smart_count: packages.length })}
            />
          </ol>
        )}
        <div className="board-go row wrap">
          <NextButton next={next} />
          {isEnough || !canChange ? null : <RequestCreditsButton kind="quiet" />}
        </div>
      </div>
      <BoardPackages packages={packages} />
    </section>
  );
}

type NextStep = 'verify' | 'fund' | 'create';

/** Returns which of the three steps are done, once everything that they depend on has loaded. */
function useProgress(catalogue: ReturnType<typeof usePackages>) {
  const user = useSession()?.user;
  const balances = useBalance();
  const priceList = usePrices();
  const { data: prices } = priceList;
  const transactions = useRead('billing', 'GET /billing/transactions', { query: { page: 1 } });
  const isPlaced = useLayoutReady([balances, priceList, catalogue, transactions]);
  const hasDeployed =
    transactions.data?.transactions.some((day) => day.transactions.some((each) => each.deployment_id !== null)) ===
    true;
  const needed = (hasDeployed ? prices?.minBalanceToDeploy : prices?.minBalanceFirstDeployment) ?? 4.99;
  const available = balances.data?.available_balance ?? 0;
  const isEnough = balances.data !== undefined && available >= needed;
  const next: NextStep = user?.is_verified === false ? 'verify' : !isEnough ? 'fund' : 'create';
  return { isPlaced, hasDeployed, needed, available, isEnough, next };
}

function VerifyStep() {
  const t = useText();
  const user = useSession()?.user;
  const { mails } = useConsoleSettings();
  if (user?.is_verified !== false)
    return (
      <Step
        icon={Mail}
        state="ok"
        title={t('deployments.empty.verify')}
        side={t('deployments.empty.verify_done')}
        more={null}
      />
    );
  return (
    <Step
      icon={Mail}
      state="now"
      title={t('deployments.empty.verify')}
      side={null}
      more={
        mails === 'kept'
          ? t('deployments.empty.verify_kept')
          : t('deployments.empty.verify_hint', { email: user.email })
      }
    />
  );
}

/** Button of the next step. */
function NextButton({ next }: { next: NextStep }) {
  const t = useText();
  const canChange = useCanChange();
  const { mails } = useConsoleSettings();
  if (next === 'fund')
    return (
      <LockableLink kind="primary" to="/billing#add" icon={Wallet}>
        {t('deployments.empty.add_funds')}
      </LockableLink>
    );
  if (next === 'create')
    return (
      <LockableLink kind="primary" to="/create-deployment" icon={Plus}>
        {t('deployments.create')}
      </LockableLink>
    );
  return mails === 'kept' && canChange ? (
    <ButtonLink kind="primary" to="/mailbox" icon={Mail}>
      {t('deployments.empty.open_mailbox')}
    </ButtonLink>
  ) : (
    <ResendButton kind="primary" />
  );
}

function BoardPackages({ packages }: { packages: NonNullable<ReturnType<typeof usePackages>['data']> }) {
  const t = useText();
  return (
    <div className="board-packages">
      <h3>{t('deployments.empty.packages')}</h3>
      <ul>
        {packages.map(({ name, display_name, description_texts: description, mark }) => (
          <li key={name}>
            <Link className="row" to={`/create-deployment?package=${encodeURIComponent(name)}`}>
              <PackageMark mark={mark} />
              <span className="grow">
                <b>{display_name}</b>
                <span className="small soft">{inLanguage(description)}</span>
              </span>
              <ChevronRight size={16} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
      <Link to="/pricing">{t('deployments.empty.prices')}</Link>
    </div>
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
  side: string | null;
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
      {side === null ? null : <span className="d">{side}</span>}
      {more === null ? null : <div className="more">{more}</div>}
    </li>
  );
}
