import { mayGoTo } from '@moorage/domain';
import { EXPRESS_ADDRESS } from '../../parts/order/step-address';
import { useText } from '../../texts/console-i18n';
import { Button } from '../../ui/button';
import { ButtonLink } from '../../ui/button-link';
import type { Forward } from './use-forward';
import { useWizard } from './wizard-context';
import './wizard-nav.css';

const WHY = 'why-not';

/** Disabled but focusable button. Screen readers announce the reason, and a click marks what is missing. */
export function ForwardButton({ label, whyNot, busy, onForward }: Forward) {
  return (
    <Button
      kind="primary"
      className="forward"
      aria-disabled={whyNot !== null || busy}
      aria-describedby={whyNot === null ? undefined : WHY}
      onClick={onForward}
    >
      {label}
    </Button>
  );
}

/** Reason why the forward button is disabled. */
export function Why({ busy, whyNot }: Forward) {
  return (
    <p className="grow small muted why" id={WHY}>
      {busy ? '' : whyNot}
    </p>
  );
}

/** Navigation below the step. Contains Cancel and, on wide screens, the buttons and the reason why Next is disabled. */
export function WizardNav({ wide, forward, onCancel }: { wide: boolean; forward: Forward; onCancel: () => void }) {
  const t = useText();
  const { wizard, config, steps, goBack } = useWizard();
  const isComplete = wizard.step !== 'review' && mayGoTo(wizard, 'review', config);
  return (
    <div className="wiznav">
      <Button kind="quiet" className="cancel" onClick={onCancel}>
        {t('wizard.nav.cancel')}
      </Button>
      {isComplete ? <ButtonLink to={EXPRESS_ADDRESS}>{t('wizard.express.back')}</ButtonLink> : null}
      {wide ? (
        <>
          <Why {...forward} />
          {steps.indexOf(wizard.step) === 0 ? null : <Button onClick={goBack}>{t('wizard.nav.back')}</Button>}
          <ForwardButton {...forward} />
        </>
      ) : null}
    </div>
  );
}
