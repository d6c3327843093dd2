import type { PackageConfigAnswer, Price } from '@moorage/contracts';
import { mayGoTo, type Wizard, WIZARD_STEPS, type WizardStep } from '@moorage/domain';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

/** Address of the express order, which shows all choices on one page. */
export const EXPRESS_ADDRESS = '/create-deployment';

/** Returns the address of a step. */
export const stepAddress = (step: WizardStep): string => `${EXPRESS_ADDRESS}?step=${step}`;

/** Returns whether the address is that of the express order, which has no step. */
export const useIsExpress = (): boolean => !useSearchParams()[0].has('step');

/**
 * Synchronizes the step with the address, so that the browser's Back goes one step back. The wizard's state takes
 * precedence. An address of a step that Next could not reach is corrected. Does nothing in an express order.
 */
export function useStepAddress(
  wizard: Wizard<Price>,
  config: PackageConfigAnswer | null,
  goTo: (step: WizardStep) => void,
): void {
  const [query, setQuery] = useSearchParams();
  const { key } = useLocation();
  const requested = query.get('step');
  const opened = useRef(false);

  const show = useEffectEvent((options: { replace: boolean }) => {
    if (requested !== null && requested !== wizard.step) setQuery({ step: wizard.step }, options);
  });
  const follow = useEffectEvent(() => {
    if (requested === null) return;
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
