import useMediaQuery from '@mui/material/useMediaQuery';
import type { Price } from '@moorage/contracts';
import { CircleAlert, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiError } from '../../data/errors';
import { leastTopUp } from '../../parts/money/saving-button';
import { addFundsAddress } from '../../data/checkout';
import { useSession } from '../../data/session';
import { useOrderEffect } from '../../data/billing';
import { VerifyBanner } from '../../parts/verify-banner';
import { useText } from '../../texts/console-i18n';
import { useTitle } from '../../ui/use-title';
import { GracePeriodBanner } from '../../parts/money/runway-card';
import { CloudStep } from './cloud-step';
import { ConfigStep } from './config-step';
import { ForgottenNote } from './forgotten-note';
import { InstanceStep } from './instance-step';
import { forgetDraft, type StoredDraft, newDraft, openDraft } from '../../parts/order/draft-storage';
import { PackageStep } from './package-step';
import { PriceCard } from './price-card';
import { RegionStep } from './region-step';
import { ReviewStep } from './review-step';
import { ServerStep } from './server-step';
import { StepList, StepProgress } from './step-list';
import { SupportStep } from './support-step';
import { type Order, useOrder } from './use-order';
import { useWizard, useWizardOf, WizardContext } from './use-wizard';
import { useUnavailableReason } from './use-unavailable-reason';
import { type Forward, WizardDock, WizardNav } from './wizard-nav';
import { exactMoney, money } from '../../ui/money';
import { Button } from '../../ui/button';
import { ButtonLink } from '../../ui/button-link';
import { Dialog } from '../../ui/dialog';
import { errorText } from '../../data/problem-message';

const WIDE = '(min-width: 1200px)';

/** Page of the wizard. Each draft has its own state, and a new one starts at the first step. */
export default function WizardPage() {
  const owner = useSession()?.user?.id ?? 0;
  const [stored, setStored] = useState(() => openDraft<Price>(owner, Date.now()));
  const restart = (): void => {
    forgetDraft();
    setStored(newDraft(owner, Date.now()));
  };
  return <DraftedWizard key={stored.idempotencyKey} stored={stored} onRestart={restart} />;
}

function DraftedWizard({ stored, onRestart }: { stored: StoredDraft<Price>; onRestart: () => void }) {
  const wizard = useWizardOf(stored);
  return (
    <WizardContext value={wizard}>
      <WizardScreen onRestart={onRestart} />
    </WizardContext>
  );
}

function WizardScreen({ onRestart }: { onRestart: () => void }) {
  const t = useText();
  useTitle(t('wizard.title'));
  const navigate = useNavigate();
  const wide = useMediaQuery(WIDE, { noSsr: true });
  const { wizard, stored, end } = useWizard();
  const order = useOrder();
  const [marked, setMarked] = useState({ step: wizard.step, times: 0 });
  const [discards, setDiscards] = useState(false);
  const forward = useForward(order, () =>
    setMarked(({ step, times }) => ({ step: wizard.step, times: step === wizard.step ? times + 1 : 1 })),
  );
  const leave = (): void => {
    end();
    void navigate('/dashboard');
  };
  const { step, draft } = wizard;
  return (
    <div className="wiz">
      {wide ? <StepList /> : null}
      <main id="content" key={step}>
        {wide ? null : <StepProgress />}
        <GracePeriodBanner />
        {step === 'package' || step === 'review' || draft.server_type === 'vps' ? <VerifyBanner /> : null}
        {stored.resumed ? <ResumedNote onRestart={onRestart} /> : null}
        <Step marked={marked.step === step ? marked.times : 0} order={order} />
        <WizardNav
          wide={wide}
          forward={forward}
          onCancel={() => (draft.package === null ? leave() : setDiscards(true))}
        />
      </main>
      {wide ? (
        <aside className="price">
          <PriceCard review={step === 'review'} />
        </aside>
      ) : (
        <WizardDock forward={forward} />
      )}
      <DiscardDialog open={discards} onKeep={() => setDiscards(false)} onDiscard={leave} />
    </div>
  );
}

function Step({ marked, order }: { marked: number; order: Order }) {
  const { wizard } = useWizard();
  switch (wizard.step) {
    case 'package':
      return <PackageStep />;
    case 'server':
      return <ServerStep />;
    case 'cloud':
      return <CloudStep />;
    case 'region':
      return <RegionStep />;
    case 'instance':
      return <InstanceStep />;
    case 'config':
      return <ConfigStep marked={marked} />;
    case 'support':
      return <SupportStep />;
    case 'review':
      return (
        <ReviewStep>
          <ForgottenNote />
          <TwoFactorRequiredError order={order} />
        </ReviewStep>
      );
  }
}

/** Next or, on the last step, Create, with the reason while it is disabled. `onMark` highlights errors on this step. */
function useForward(order: Order, onMark: () => void): Forward {
  const t = useText();
  const wizard = useWizard();
  const { step, pricing } = wizard.wizard;
  const effect = useOrderEffect(pricing?.hourly_cost ?? null).data;
  const missing = useUnavailableReason();
  if (step !== 'review') {
    return {
      label: t('wizard.nav.next'),
      whyNot: missing,
      busy: false,
      onForward() {
        const wrong = step === 'config' && Object.keys(wizard.checkTyped()).length > 0;
        if (missing !== null || wrong) onMark();
        else wizard.goNext();
      },
    };
  }
  const short = effect !== undefined && effect.order_refusal !== null ? t('wizard.why.money') : null;
  const whyNot = wizard.verified ? (missing ?? short) : t('wizard.why.unverified');
  return {
    label: order.busy ? t('wizard.nav.creating') : t('wizard.nav.create'),
    whyNot: order.placedBefore ? t('wizard.review.reused') : whyNot,
    busy: order.busy,
    onForward() {
      if (whyNot === null && !order.placedBefore) order.create();
    },
  };
}

function TwoFactorRequiredError({ order: { refused, placedBefore, priceBefore } }: { order: Order }) {
  const t = useText();
  const { wizard } = useWizard();
  if (priceBefore !== null && wizard.pricing !== null) {
    const [before, now] = bothPrices(priceBefore.daily_cost, wizard.pricing.daily_cost);
    return (
      <div className="note brass" role="alert">
        <CircleAlert size={16} aria-hidden="true" />
        <div>
          <b>{t('wizard.review.price_changed')}</b>
          <p>{t('wizard.review.price_was', { before, now })}</p>
        </div>
      </div>
    );
  }
  if (placedBefore) {
    return (
      <div className="note" role="alert">
        <CircleAlert size={16} aria-hidden="true" />
        <div>
          <p>{t('wizard.review.reused')}</p>
          <ButtonLink size="small" to="/dashboard">
            {t('wizard.review.to_dashboard')}
          </ButtonLink>
        </div>
      </div>
    );
  }
  if (refused === null) return null;
  const aboutMoney = refused instanceof ApiError && refused.status === 402;
  return (
    <div className="note port" role="alert">
      <CircleAlert size={16} aria-hidden="true" />
      <div>
        <b>{t('wizard.failed.create')}</b>
        <p>{errorText(refused)}</p>
        {aboutMoney ? (
          <ButtonLink size="small" to={addFundsAddress({ amount: missingOf(refused), returnTo: 'order' })}>
            {t('wizard.price.add')}
          </ButtonLink>
        ) : null}
      </div>
    </div>
  );
}

/** Formats both prices rounded to cents, or exactly if they would look the same. */
function bothPrices(before: number, now: number): readonly [before: string, now: string] {
  const [one, other] = [money(before, { rounding: 'half_up' }), money(now, { rounding: 'half_up' })];
  return one === other ? [exactMoney(before), exactMoney(now)] : [one, other];
}

/** Missing amount according to the error response, or undefined if it contains none. */
function missingOf({ facts: { needed, available } }: ApiError): number | undefined {
  return typeof needed === 'number' && typeof available === 'number' && needed > available
    ? leastTopUp(needed - available)
    : undefined;
}

function ResumedNote({ onRestart }: { onRestart: () => void }) {
  const t = useText();
  const { arrived } = useWizard();
  if (arrived) return null;
  return (
    <p className="resumed small muted">
      {t('wizard.resumed.kept')}{' '}
      <Button kind="text" size="small" className="inline" onClick={onRestart}>
        <RotateCcw size={14} aria-hidden="true" />
        {t('wizard.resumed.restart')}
      </Button>
    </p>
  );
}

function DiscardDialog({ open, onKeep, onDiscard }: { open: boolean; onKeep: () => void; onDiscard: () => void }) {
  const t = useText();
  return (
    <Dialog
      open={open}
      onClose={onKeep}
      width="narrow"
      title={t('wizard.discard.title')}
      actions={
        <>
          <Button kind="quiet" onClick={onDiscard}>
            {t('wizard.discard.discard')}
          </Button>
          <Button kind="primary" autoFocus onClick={onKeep}>
            {t('wizard.discard.keep')}
          </Button>
        </>
      }
    >
      {t('wizard.discard.text')}
    </Dialog>
  );
}
