import { mayGoTo, type WizardStep } from '@moorage/domain';
import { Check } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useText } from '../../texts/console-i18n';
import { stepAddress } from '../../parts/order/step-address';
import { useChosen } from './use-chosen';
import { useWizard } from './wizard-context';
import { bothForms } from '../../ui/both-forms';
import './step-list.css';

/** Returns a short summary of each decided step, or null if it is undecided. */
function useDecided(): (step: WizardStep) => string | null {
  const t = useText();
  const { wizard, steps } = useWizard();
  const chosen = useChosen();
  const { draft } = wizard;
  return (step) => {
    switch (step) {
      case 'package':
        return chosen.package;
      case 'server':
        if (draft.server_type === null) return null;
        return draft.server_type === 'new' ? t('wizard.server.new') : (draft.vps_ip_address ?? '');
      case 'cloud':
        return chosen.provider?.display_name ?? null;
      case 'region':
        return chosen.region?.display_name ?? draft.region;
      case 'instance':
        return chosen.size?.display_name ?? draft.instance_type;
      case 'config':
        return bothForms(draft.domain ?? '');
      case 'support':
        // The step has a default value, which counts as a decision only after the user has seen the step.
        return steps.indexOf(wizard.step) > steps.indexOf('support')
          ? t(`wizard.support.level${draft.support_level}`)
          : null;
      case 'review':
        return null;
    }
  };
}

/** List of steps with the current position and the choices so far. Links back, and forward as far as Next would go. */
export function StepList() {
  const t = useText();
  const { wizard, steps, shownSteps, config } = useWizard();
  const decided = useDecided();
  const here = shownSteps.indexOf(wizard.step);
  return (
    <nav className="steps" aria-label={t('wizard.nav.steps')}>
      <ol>
        {shownSteps.map((step, index) => {
          const title = t(`wizard.steps.${step}`);
          const value = decided(step);
          const done = index < here;
          const open = index !== here && steps.includes(step) && mayGoTo(wizard, step, config);
          return (
            <li
              key={step}
              className={index === here ? 'here' : done ? 'ok' : ''}
              aria-current={index === here ? 'step' : undefined}
            >
              <span className="n" aria-hidden="true">
                {done ? <Check size={14} /> : index + 1}
              </span>
              <b>{open ? <Link to={stepAddress(step)}>{title}</Link> : title}</b>
              {done ? <span className="vh">({t('wizard.nav.done')})</span> : null}
              {value !== null && value !== '' && index !== here ? <small title={value}>{value}</small> : null}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** Short version of the list in a single line, for narrow screens. */
export function StepProgress() {
  const t = useText();
  const { wizard, shownSteps } = useWizard();
  const step = shownSteps.indexOf(wizard.step) + 1;
  const next = shownSteps[step];
  const total = shownSteps.length;
  return (
    <div className="prog">
      <div className="row small">
        <b className="grow">{t('wizard.nav.progress', { step, steps: total })}</b>
        <span className="muted">
          {next === undefined ? t('wizard.nav.last') : t('wizard.nav.next_is', { title: t(`wizard.steps.${next}`) })}
        </span>
      </div>
      <div className="meter" aria-hidden="true">
        <i style={{ width: `${(step / total) * 100}%` }} />
      </div>
    </div>
  );
}
