import { useEffect, useEffectEvent, useRef } from 'react';
import { Link } from 'react-router-dom';
import { placeOf, useWithOffer } from '../../parts/offer';
import { SelfHelpLinks } from '../../parts/operator-links';
import { GracePeriodBanner } from '../../parts/money/grace-period-banner';
import { stepAddress } from '../../parts/order/step-address';
import { VerifyBanner } from '../../parts/verify-banner';
import { useText } from '../../texts/console-i18n';
import { PackageRow } from './express-package';
import { ExpressPrice } from './express-price';
import { ChangeLink, Row } from './express-row';
import { ServerRow } from './express-server';
import { AddressRow, RequiredRow, SignInRow } from './express-values';
import { ForgottenNote } from './forgotten-note';
import { OldPrices } from './old-prices-note';
import { OrderError } from './order-error';
import { PackageCards } from './package-cards';
import { ResumedNote } from './resumed-note';
import { SameDomain } from './same-domain';
import { StepHeading } from './step-heading';
import type { Forward } from './use-forward';
import type { Order } from './use-order';
import { usePrefilled } from './use-prefilled';
import { useWizard } from './wizard-context';
import './express-order.css';

interface ExpressProps {
  readonly order: Order;
  readonly forward: Forward;
  /** Number of times that Create was refused because of invalid input. */
  readonly marked: number;
  readonly onRestart: () => void;
}

/**
 * Express order: one card with everything chosen, from which one button creates the deployment. Each part can be changed
 * in the wizard's step, which holds the same draft.
 */
export function ExpressOrder({ order, forward, marked, onRestart }: ExpressProps) {
  const t = useText();
  const { wizard, stored, isTakingPackage } = useWizard();
  const isChosen = wizard.draft.package !== null;
  return (
    <main id="content" className="express-page">
      <StepHeading title={t('wizard.express.heading')}>
        {t(isChosen || isTakingPackage ? 'wizard.express.intro' : 'wizard.express.intro_package')}
      </StepHeading>
      <GracePeriodBanner />
      <VerifyBanner />
      {stored.resumed ? <ResumedNote onRestart={onRestart} /> : null}
      {isTakingPackage ? (
        <div className="card express empty" aria-hidden="true" />
      ) : isChosen ? (
        <Chosen order={order} forward={forward} marked={marked} />
      ) : (
        <PackageCards closes />
      )}
      <p className="small muted afterwards">
        {isChosen ? `${t('wizard.express.time')} ${t('wizard.review.intro')} ` : null}
        <Link to={stepAddress('package')}>{t('wizard.express.step_by_step')}</Link>
      </p>
    </main>
  );
}

function Chosen({ order, forward, marked }: Omit<ExpressProps, 'onRestart'>) {
  const prefilled = usePrefilled();
  const wizard = useWizard();
  const card = useRef<HTMLDivElement>(null);
  // A value that this page does not show is corrected in its step.
  const showFirstWrong = useEffectEvent(() => {
    const wrong = card.current?.querySelector<HTMLElement>('[aria-invalid="true"]:is(input, textarea)');
    if (wrong !== null && wrong !== undefined) return wrong.focus();
    wizard.setProblems(wizard.checkTyped());
    wizard.goTo('config');
  });
  useEffect(() => {
    if (marked > 0) showFirstWrong();
  }, [marked]);
  return (
    <>
      <ForgottenNote />
      <OrderError order={order} />
      <OldPrices />
      <SameDomain />
      <div className="card express" ref={card}>
        <PackageRow />
        <ServerRow {...prefilled} />
        <AddressRow isMarked={marked > 0} />
        <RequiredRow isMarked={marked > 0} />
        <SignInRow isMarked={marked > 0} />
        <SupportRow />
        <ExpressPrice forward={forward} />
      </div>
    </>
  );
}

/** Chosen support level. */
function SupportRow() {
  const t = useText();
  const { draft } = useWizard().wizard;
  const withOffer = useWithOffer(placeOf(draft));
  const level = draft.support_level;
  const what = t('wizard.steps.support');
  return (
    <Row label={what} change={<ChangeLink step="support" what={what} />}>
      <span>
        <b>{t(`wizard.support.level${level}`)}</b>
      </span>
      <span className="soft">{withOffer(t(`wizard.support.has${level}`), level)}</span>
      {level === 1 ? <SelfHelpLinks /> : null}
    </Row>
  );
}
