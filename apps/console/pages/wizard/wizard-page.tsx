import './wizard-page.css';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { Price } from '@moorage/contracts';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSession } from '../../data/session';
import { GracePeriodBanner } from '../../parts/money/grace-period-banner';
import { forgetDraft, newDraft, openDraft, type StoredDraft } from '../../parts/order/draft-storage';
import { useIsExpress } from '../../parts/order/step-address';
import { useViewLock } from '../../parts/view-lock';
import { VerifyBanner } from '../../parts/verify-banner';
import { useText } from '../../texts/console-i18n';
import { ButtonLink } from '../../ui/button-link';
import { useTitle } from '../../ui/use-title';
import { CurrentStep } from './current-step';
import { DiscardDialog } from './discard-dialog';
import { ExpressOrder } from './express-order';
import { PriceCard } from './price/price-card';
import { ResumedNote } from './resumed-note';
import { StepList, StepProgress } from './step-list';
import { useForward } from './use-forward';
import { useOrder } from './use-order';
import { useWizardOf } from './use-wizard-of';
import { useWizard, WizardContext } from './wizard-context';
import { WizardDock } from './wizard-dock';
import { WizardNav } from './wizard-nav';

const WIDE = '(min-width: 1200px)';

/** Page of the wizard. Each draft has its own state, and a new one starts at the first step. None during impersonation. */
export default function WizardPage() {
  const lock = useViewLock();
  return lock === null ? <Wizard /> : <NoOrder reason={lock} />;
}

/** Shown during impersonation, when nothing can be ordered. */
function NoOrder({ reason }: { reason: string }) {
  const t = useText();
  useTitle(t('wizard.title'));
  return (
    <main className="main" id="content" tabIndex={-1}>
      <div className="card empty">
        <h1>{t('wizard.no_order')}</h1>
        <p className="soft">{reason}</p>
        <ButtonLink kind="primary" to="/dashboard">
          {t('layout.to_dashboard')}
        </ButtonLink>
      </div>
    </main>
  );
}

function Wizard() {
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
  const marks = marked.step === step ? marked.times : 0;
  if (useIsExpress()) return <ExpressOrder order={order} forward={forward} marked={marks} onRestart={onRestart} />;
  return (
    <div className="wiz">
      {wide ? <StepList /> : null}
      <main id="content" key={step}>
        {wide ? null : <StepProgress />}
        <GracePeriodBanner />
        {step === 'package' || step === 'review' || draft.server_type === 'vps' ? <VerifyBanner /> : null}
        {stored.resumed ? <ResumedNote onRestart={onRestart} /> : null}
        <CurrentStep marked={marks} order={order} />
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
