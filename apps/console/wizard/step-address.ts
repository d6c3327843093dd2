import type { PackageConfigAnswer, Price } from '@moorage/contracts';
import { mayGoTo, type Wizard, WIZARD_STEPS, type WizardStep } from '@moorage/domain';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

const FIRST: WizardStep = 'package';

/** The first step has the bare address. */
export const stepAddress = (step: WizardStep): string =>
  step === FIRST ? '/create-deployment' : `/create-deployment?step=${step}`;

/**
 * The step stands in the address, so that the browser's Back goes a step back. The wizard is the truth: an address that
 * leads where Next would not is put right.
 */
export function useStepAddress(
  wizard: Wizard<Price>,
  config: PackageConfigAnswer | null,
  goTo: (step: WizardStep) => void,
): void {
  const [query, setQuery] = useSearchParams();
  const { key } = useLocation();
  const asked = query.get('step') ?? FIRST;
  const opened = useRef(false);

  const show = useEffectEvent((options: { replace: boolean }) => {
    if (asked !== wizard.step) setQuery(wizard.step === FIRST ? {} : { step: wizard.step }, options);
  });
  const follow = useEffectEvent(() => {
    const step = WIZARD_STEPS.find((each) => each === asked);
    if (step === undefined || !mayGoTo(wizard, step, config)) show({ replace: true });
    else if (step !== wizard.step) goTo(step);
  });

  // a link, Back, or something written by hand
  useEffect(() => {
    if (opened.current) follow();
  }, [key]);
  useEffect(() => {
    show({ replace: !opened.current });
    opened.current = true;
  }, [wizard.step]);
}
