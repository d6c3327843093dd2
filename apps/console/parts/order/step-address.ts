import type { PackageConfigAnswer, Price } from '@moorage/contracts';
import { mayGoTo, type Wizard, WIZARD_STEPS, type WizardStep } from '@moorage/domain';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

const FIRST: WizardStep = 'package';

/** Returns the address of a step. The first step has no query. */
export const stepAddress = (step: WizardStep): string =>
  step === FIRST ? '/create-deployment' : `/create-deployment?step=${step}`;

/**
 * Synchronizes the step with the address, so that the browser's Back goes one step back. The wizard's state takes
 * precedence. An address of a step that Next could not reach is corrected.
 */
export function useStepAddress(
  wizard: Wizard<Price>,
  config: PackageConfigAnswer | null,
  goTo: (step: WizardStep) => void,
): void {
  const [query, setQuery] = useSearchParams();
  const { key } = useLocation();
  const requested = query.get('step') ?? FIRST;
  const opened = useRef(false);

  const show = useEffectEvent((options: { replace: boolean }) => {
    if (requested !== wizard.step) setQuery(wizard.step === FIRST ? {} : { step: wizard.step }, options);
  });
  const follow = useEffectEvent(() => {
    const step = WIZARD_STEPS.find((each) => each === requested);
    if (step === undefined || !mayGoTo(wizard, step, config)) show({ replace: true });
    else if (step !== wizard.step) goTo(step);
  });

  // A link, Back, or an address entered by hand.
  useEffect(() => {
    if (opened.current) follow();
  }, [key]);
  useEffect(() => {
    show({ replace: !opened.current });
    opened.current = true;
  }, [wizard.step]);
}
